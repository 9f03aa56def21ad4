import { expect, test } from 'vitest';
import { isVersion, stageOf } from './timeline.ts';

const SAVED = Date.parse('2026-11-21T12:00:00Z');
const at = (seconds: number) => new Date(SAVED + seconds * 1000).toISOString();
const build = {
	state: 'queued',
	doing: null,
	done: null,
	total: null,
	reason: null,
	startedAt: null,
	endedAt: null,
} as const;

test('a change waits, is built, is looked at and is live', () => {
	expect(stageOf([], SAVED, false).step).toBe('queued');
	expect(stageOf([build], SAVED, false).step).toBe('queued');
	const building = {
		...build,
		state: 'building',
		doing: 'pages',
		done: 3,
		total: 12,
		startedAt: at(1),
	} as const;
	expect(stageOf([building], SAVED, false)).toEqual({
		step: 'building',
		text: 'Building: pages (3 of 12)',
		part: 0.25,
	});
	const live = { ...build, state: 'live', startedAt: at(1), endedAt: at(9) } as const;
	expect(stageOf([live], SAVED, false).step).toBe('checking');
	expect(stageOf([live], SAVED, true).step).toBe('live');
});

test('a build that began before the change was saved proves nothing', () => {
	const live = { ...build, state: 'live', startedAt: at(-2), endedAt: at(4) } as const;
	expect(stageOf([live], SAVED, false).step).toBe('queued');
	const building = { ...build, state: 'building', startedAt: at(-2) } as const;
	expect(stageOf([build, building], SAVED, false).step).toBe('queued');
});

test('a failed build says why, until another one is asked for', () => {
	const failed = {
		...build,
		state: 'failed',
		startedAt: at(1),
		endedAt: at(5),
		reason: 'No space.',
	} as const;
	expect(stageOf([failed], SAVED, false)).toEqual({ step: 'failed', text: 'No space.' });
	expect(stageOf([build, failed], SAVED, false).step).toBe('queued');
	expect(stageOf([{ ...failed, startedAt: at(-9), endedAt: at(-1) }], SAVED, false).step).toBe(
		'queued',
	);
});

test('a page is the version whose digest it tells', () => {
	expect(isVersion('<article data-digest="abc">', 'abc')).toBe(true);
	expect(isVersion('<article data-digest="abcd">', 'abc')).toBe(false);
});
