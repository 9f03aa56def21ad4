import { expect, test } from 'vitest';
import { DAY } from '#src/lib/dates.ts';
import {
	courseChoices,
	courseScreen,
	lessonEmail,
	LESSONS,
	nextTime,
	progressOf,
} from './course.ts';
import { readLessons } from './lessons.server.ts';

/** Reading them loads the renderer, which takes a while. */
const lessons = await readLessons();
const START = new Date('2026-03-02T15:00:00Z');
const after = (days: number) => new Date(START.getTime() + days * DAY);
const enrollment = (values: object = {}) => ({
	lesson: 1,
	nextAt: after(1),
	pausedAt: null,
	stoppedAt: null,
	createdAt: START,
	...values,
});
const values = (progress: Parameters<typeof courseChoices>[0]) =>
	courseChoices(progress).map(({ value }) => value);

test.each([
	[{}, 'running', ['next', 'pause', 'stop']],
	[{ pausedAt: START, nextAt: null }, 'paused', ['resume', 'next']],
	[{ stoppedAt: START, nextAt: null }, 'stopped', ['resume', 'next']],
	[{ stoppedAt: START, pausedAt: START }, 'stopped', ['resume', 'next']],
	[{ lesson: 7, nextAt: null }, 'done', []],
	[{ lesson: 7, stoppedAt: START }, 'done', []],
])('an enrollment with %j is %s and may %j', (changes, state, choices) => {
	const progress = progressOf(enrollment(changes), START);
	expect(progress.state).toBe(state);
	expect(values(progress)).toEqual(choices);
});

test.each([
	[0, 0],
	[0.99, 0],
	[1, 1],
	[2.5, 2],
	[6, 6],
	[60, 6],
])('%f days after lesson one, %i lessons are missing', (days, behind) => {
	expect(progressOf(enrollment(), after(days)).behind).toBe(behind);
});

test('who misses two lessons or more may catch up', () => {
	expect(values(progressOf(enrollment(), after(1)))).not.toContain('catch-up');
	expect(values(progressOf(enrollment(), after(2)))).toContain('catch-up');
});

test.each([
	[0, 1],
	[0.5, 1],
	[1, 2],
	[3.2, 4],
])('%f days after the enrollment its hour comes again on day %i', (days, next) => {
	expect(nextTime(START, after(days))).toEqual(after(next));
});

test('the page shows seven lessons, sent, next and to come', () => {
	const [section] = courseScreen(progressOf(enrollment({ lesson: 3 }), after(2))).sections;
	expect(section!.steps!.map(({ state }) => state)).toEqual([
		'done',
		'done',
		'done',
		'next',
		'ahead',
		'ahead',
		'ahead',
	]);
	expect(section!.text).toContain('3 lessons of 7 sent.');
});

test('every lesson is there, in order, as mail can show it', () => {
	expect(lessons.map(({ title }) => title)).toEqual(LESSONS);
	for (const { html, text, summary } of lessons) {
		expect(summary).not.toBe('');
		expect(text.split(/\s+/).length).toBeGreaterThan(1000);
		expect(html).toMatch(/^<p style="[^"]+">/);
		expect(html).not.toMatch(/<[^>]* class=|<script/);
	}
});

test('the links of a lesson lead to the site from wherever they are read', () => {
	const lesson = {
		title: 'T',
		summary: 'S',
		html: '<a href="/blog/x">x</a>',
		text: '[x](/blog/x)',
	};
	const links = { leave: 'l', preferences: 'p', course: 'c' };
	const { blocks } = lessonEmail(1, lesson, 'https://a.example', links);
	expect(blocks[0]).toEqual({
		kind: 'article',
		html: '<a href="https://a.example/blog/x">x</a>',
		text: '[x](https://a.example/blog/x)',
	});
});

test('quotation marks of a lesson are curly in its HTML, but for code, and as they were typed in its text', () => {
	const prose = lessons.map(({ html }) => html.replace(/<(pre|code)[ >].*?<\/\1>|<[^>]*>/gs, ''));
	expect(prose.join()).toMatch(/“\w.*\w’s/s);
	expect(prose.join()).not.toMatch(/["']|&#x2[27];/);
	for (const { text } of lessons) expect(text).not.toMatch(/[“”‘’]/);
});
