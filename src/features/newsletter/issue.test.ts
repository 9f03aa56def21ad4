import { expect, test } from 'vitest';
import { emailText } from '#src/core/outbox/email-content.ts';
import { emailDocument } from '#src/core/outbox/email-document.server.ts';
import {
	issueEmail,
	lastSlot,
	MAX_POSTS,
	nextSlot,
	issueSubject,
	type IssuePost,
	type Schedule,
} from './issue.ts';

const slot = (now: string, hour: number, zone: string) => {
	const { date, at } = lastSlot(new Date(now), { ...THURSDAYS, hour, timeZone: zone });
	return [date, at.toISOString()];
};

test.each([
	// A Thursday, at the hour and a moment before.
	['2026-03-05T09:00:00.000Z', 9, 'UTC', '2026-03-05', '2026-03-05T09:00:00.000Z'],
	['2026-03-05T08:59:59.999Z', 9, 'UTC', '2026-02-26', '2026-02-26T09:00:00.000Z'],
	['2026-03-11T23:59:59.999Z', 9, 'UTC', '2026-03-05', '2026-03-05T09:00:00.000Z'],
	['2026-03-05T00:00:00.000Z', 0, 'UTC', '2026-03-05', '2026-03-05T00:00:00.000Z'],
	// Where it is Thursday already, or still.
	['2026-03-04T15:00:00.000Z', 0, 'Asia/Tokyo', '2026-03-05', '2026-03-04T15:00:00.000Z'],
	['2026-03-06T07:30:00.000Z', 23, 'America/Los_Angeles', '2026-03-05', '2026-03-06T07:00:00.000Z'],
	// The same hour on the clock before and after it is changed.
	['2026-03-05T18:00:00.000Z', 9, 'America/New_York', '2026-03-05', '2026-03-05T14:00:00.000Z'],
	['2026-03-12T18:00:00.000Z', 9, 'America/New_York', '2026-03-12', '2026-03-12T13:00:00.000Z'],
	['2026-11-05T18:00:00.000Z', 9, 'America/New_York', '2026-11-05', '2026-11-05T14:00:00.000Z'],
])('at %s the last letter of %i o’clock in %s is that of %s', (now, hour, zone, date, at) => {
	expect(slot(now, hour, zone)).toEqual([date, at]);
});

const THURSDAYS = { cadence: 'weekly', day: 'Thursday' } as const;

test('the next letter is a week after the last, on the clock', () => {
	const next = (now: string) =>
		nextSlot(new Date(now), {
			...THURSDAYS,
			hour: 9,
			timeZone: 'America/New_York',
		}).at.toISOString();
	expect(next('2026-03-05T14:00:00Z')).toBe('2026-03-12T13:00:00.000Z');
	expect(next('2026-03-05T13:59:59Z')).toBe('2026-03-05T14:00:00.000Z');
});

test('no day is passed over where clocks are changed', () => {
	const sundays: Schedule = { ...THURSDAYS, day: 'Sunday', hour: 9, timeZone: 'Europe/Berlin' };
	// Late on the day before clocks go forward, and early on the day after.
	expect(nextSlot(new Date('2026-03-28T22:30:00Z'), sundays).date).toBe('2026-03-29');
	expect(lastSlot(new Date('2026-03-29T22:30:00Z'), sundays).date).toBe('2026-03-29');
});

const posts = (count: number): IssuePost[] =>
	Array.from({ length: count }, (_, index) => ({
		id: String(index),
		slug: `post-${index}`,
		title: `Post ${index}`,
		excerpt: null,
		category: 'Robotics',
		minutes: 5,
	}));

test.each([
	[1, 'Groundtruth Weekly: Post 0'],
	[2, 'Groundtruth Weekly: Post 0 and 1 more article'],
	[3, 'Groundtruth Weekly: Post 0 and 2 more articles'],
])('the subject of %i posts', (count, subject) => {
	expect(issueSubject(posts(count))).toBe(subject);
});

test.each([
	[MAX_POSTS, MAX_POSTS, null],
	[MAX_POSTS + 1, MAX_POSTS, 'And 1 more article on the blog.'],
	[MAX_POSTS + 2, MAX_POSTS, 'And 2 more articles on the blog.'],
])('of %i posts a letter tells of %i', (count, told, rest) => {
	const issue = { date: '2026-03-05', subject: 'S', posts: posts(count) };
	const links = { leave: 'l', preferences: 'p' };
	const { blocks } = issueEmail(issue, 'https://a.example', links, true);
	const [entries] = blocks;
	expect(entries?.kind === 'entries' && entries.items).toHaveLength(told);
	const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
	expect(texts).toEqual(rest === null ? [] : [rest]);
});

test('the headline is what the first article claims, its plot above it, and “Read online” stands once', () => {
	const picture = {
		src: '/media/figure-1.png',
		alt: 'Points. They rise.',
		width: 1400,
		height: 700,
	};
	const [first, ...others] = posts(2);
	const issue = {
		date: '2026-03-05',
		subject: 'S',
		posts: [{ ...first!, lead: { claim: 'One cut in ten pays', picture } }, ...others],
	};
	const email = issueEmail(issue, 'https://a.example', { leave: 'l' }, true);
	expect(email.title).toBe('One cut in ten pays');
	const [entries] = email.blocks;
	expect(entries?.kind === 'entries' && entries.items.map((item) => item.picture)).toEqual([
		{ ...picture, src: 'https://a.example/media/figure-1.png' },
		undefined,
	]);
	const html = emailDocument(email);
	expect(html.match(/Read online/g)).toHaveLength(1);
	expect(html).toContain('alt="Points. They rise."');
	expect(emailText(email).match(/\/newsletter\/2026-03-05\?/g)).toHaveLength(1);
	expect(emailText(email)).toMatch(/^One cut in ten pays\n/);
});
