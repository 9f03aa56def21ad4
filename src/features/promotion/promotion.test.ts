import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';
import { endOf, nextTick, partsOf, restartOf, COUNTDOWN } from './countdown.ts';
import { EVENT_TYPES, nextProof, proofMessage } from './proof.ts';
import { spotsAt, urgencyOf } from './ScarcityMeter.tsx';

test('a countdown ends up to 15 minutes early or late, and never further', () => {
	expect(endOf(0, HOUR, 0)).toBe(45 * MINUTE);
	expect(endOf(0, HOUR, 0.5)).toBe(HOUR);
	expect(endOf(0, HOUR, 1)).toBe(75 * MINUTE);
});

test('one that has run out starts again with 6 to 12 hours', () => {
	expect(restartOf(100, 0)).toBe(100 + 6 * HOUR);
	expect(restartOf(100, 1)).toBe(100 + 12 * HOUR);
});

test('its figures change each second, or up to two seconds later', () => {
	expect(nextTick(0)).toBe(SECOND);
	expect(nextTick(1)).toBe(3 * SECOND);
});

test('the hero counts down seven days', () => {
	expect(partsOf(COUNTDOWN.heroMs)).toEqual({ days: 7, hours: 0, minutes: 0, seconds: 0 });
});

test('what is left is told in whole parts, and never below nothing', () => {
	expect(partsOf(HOUR - 1)).toEqual({ days: 0, hours: 0, minutes: 59, seconds: 59 });
	expect(partsOf(25 * HOUR + 61 * SECOND)).toEqual({ days: 1, hours: 1, minutes: 1, seconds: 1 });
	expect(partsOf(-1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
});

test('a spot goes every 45 seconds', () => {
	expect(spotsAt(0, 50, 12)).toBe(12);
	expect(spotsAt(45 * SECOND - 1, 50, 12)).toBe(12);
	expect(spotsAt(45 * SECOND, 50, 12)).toBe(11);
});

test('three spots are always left, and no spot comes back', () => {
	expect(spotsAt(9 * 45 * SECOND, 50, 12)).toBe(3);
	expect(spotsAt(24 * HOUR, 50, 12)).toBe(3);
	expect(spotsAt(24 * HOUR, 50, 2)).toBe(2);
});

test('without a figure a fifth of the total is left', () => {
	expect(spotsAt(0, 50)).toBe(10);
});

test.each([
	[5, 'high'],
	[6, 'medium'],
	[15, 'medium'],
	[16, 'low'],
] as const)('%i of 50 spots are of %s urgency', (left, urgency) => {
	expect(urgencyOf(left, 50)).toBe(urgency);
});

test('a message of the proof box stays 8 to 25 seconds', () => {
	expect(nextProof(0)).toBe(8000);
	expect(nextProof(1)).toBe(25_000);
});

test('made-up activity is of six kinds, 1 to 60 minutes ago', () => {
	expect(EVENT_TYPES).toEqual(['signup', 'download', 'read', 'share', 'like', 'bookmark']);
	expect(proofMessage(() => 0)).toEqual({
		text: 'Someone in Austin subscribed to the newsletter',
		ago: '1 minute ago',
	});
	expect(proofMessage(() => 0.9999)).toEqual({
		text: 'Someone in Seattle saved an article for later',
		ago: '60 minutes ago',
	});
});
