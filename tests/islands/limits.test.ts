import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { LESSONS } from '#src/features/course/course.ts';
import { REFRESH_MS } from '#src/features/newsletter/readers.store.ts';
import { COOKIE_SECONDS } from '#src/features/newsletter/subscribed-cookie.ts';
import { COUNTDOWN } from '#src/features/promotion/countdown.ts';
import { OVERLAY } from '#src/features/promotion/overlays.ts';
import { EVENT_TYPES, PROOF } from '#src/features/promotion/proof.ts';
import { SCARCITY } from '#src/features/promotion/ScarcityMeter.tsx';
import { DAY, HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';

type Row = [item: string, specified: unknown, ours: unknown, test: string];

const OVERLAYS = 'src/features/promotion/overlays.test.ts';
const STORE = 'src/features/promotion/overlays.store.test.tsx';
const PROMOTION = 'src/features/promotion/promotion.test.ts';

/** Numbers of the ways in (product.md sections 4 and 9), and where each is tried on both of its sides. */
const TABLE: Record<string, Row[]> = {
	[OVERLAYS]: [
		[
			'modal: share of the page',
			0.5,
			OVERLAY.modal.progress,
			'the modal wants to open at half of the page, not before',
		],
		[
			'modal: pixels moved',
			200,
			OVERLAY.modal.movedPx,
			'the modal waits until the reader has moved more than 200 pixels, either way',
		],
		[
			'exit popup armed',
			10 * SECOND,
			OVERLAY.exitArmedMs,
			'the exit popup is armed at ten seconds',
		],
	],
	[STORE]: [
		['widget', 3 * SECOND, OVERLAY.widgetMs, 'the widget comes minimized after three seconds'],
		[
			'modal: debounce and delay',
			[100, 500],
			[OVERLAY.modal.debounceMs, OVERLAY.modal.delayMs],
			'the modal opens 600 ms after half of the article was passed, once',
		],
		[
			'masterclass: a spot goes every',
			45 * SECOND,
			SCARCITY.dropMs,
			'the meter of the masterclass starts at 12 of 50 and drops by one every 45 seconds',
		],
	],
	[PROMOTION]: [
		[
			'countdown: shift',
			15 * MINUTE,
			COUNTDOWN.shiftMs,
			'a countdown ends up to 15 minutes early or late, and never further',
		],
		[
			'countdown: restart',
			{ from: 6 * HOUR, to: 12 * HOUR },
			COUNTDOWN.restartMs,
			'one that has run out starts again with 6 to 12 hours',
		],
		[
			'countdown: tick and delay',
			[SECOND, 2 * SECOND],
			[COUNTDOWN.tickMs, COUNTDOWN.delayMs],
			'its figures change each second, or up to two seconds later',
		],
		['countdown of the hero', 7 * DAY, COUNTDOWN.heroMs, 'the hero counts down seven days'],
		['spots: at least', 3, SCARCITY.atLeast, 'three spots are always left, and no spot comes back'],
		[
			'spots: share to begin with',
			0.2,
			SCARCITY.share,
			'without a figure a fifth of the total is left',
		],
		[
			'proof box: a message stays',
			[8 * SECOND, 25 * SECOND],
			[PROOF.from, PROOF.to],
			'a message of the proof box stays 8 to 25 seconds',
		],
		[
			'proof box: minutes ago',
			60,
			PROOF.minutes,
			'made-up activity is of six kinds, 1 to 60 minutes ago',
		],
		[
			'proof box: kinds',
			['signup', 'download', 'read', 'share', 'like', 'bookmark'],
			EVENT_TYPES,
			'made-up activity is of six kinds, 1 to 60 minutes ago',
		],
	],
	'src/features/newsletter/readers.store.test.ts': [
		['subscriber count', 30_000, REFRESH_MS, 'the count is asked for at once and every 30 seconds'],
	],
	'src/features/newsletter/subscribed.store.test.ts': [
		[
			'cookie',
			30 * DAY,
			COOKIE_SECONDS * SECOND,
			'a signup is remembered as the text true, for the session, and as a cookie for 30 days',
		],
	],
	'src/features/course/course.test.ts': [
		['lessons', 7, LESSONS.length, 'every lesson is there, in order, as mail can show it'],
	],
};

describe.each(Object.entries(TABLE))('%s', (file, rows) => {
	test.each(rows)('%s', async (_, specified, ours, title) => {
		expect(ours).toEqual(specified);
		expect(await readFile(file, 'utf8')).toContain(`test('${title}'`);
	});
});
