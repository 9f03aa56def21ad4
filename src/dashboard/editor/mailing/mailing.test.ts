import { expect, test } from 'vitest';
import { sendTime } from './mailing.ts';

const now = new Date('2026-11-29T10:00:00Z');

test.each([
	['', '', '2026-11-29T10:02:00.000Z'],
	['', '2026-11-01T10:00:00Z', '2026-11-29T10:02:00.000Z'],
	['', '2026-12-01T10:00:00Z', '2026-12-01T10:02:00.000Z'],
	['2026-12-02T08:00:00Z', '2026-12-01T10:00:00Z', '2026-12-02T08:00:00.000Z'],
])('a letter wanted at “%s” of an article of “%s” leaves at %s', (sendAt, publishedAt, leaves) =>
	expect(sendTime({ sendAt }, publishedAt, now)).toBe(leaves),
);
