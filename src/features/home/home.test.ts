import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { newsSince, visitsAfter, type Visits } from './home.ts';

const NOW = Date.parse('2026-03-29T00:30:00Z');
const at = (ms: number) => new Date(NOW + ms);
const iso = (ms: number) => at(ms).toISOString();

test('without a visit that is known, a week is news', () => {
	expect(newsSince(null, at(0))).toEqual({ at: iso(-7 * DAY), isVisit: false });
	const first = visitsAfter(null, at(0));
	expect(newsSince(first, at(MINUTE))).toEqual({ at: iso(MINUTE - 7 * DAY), isVisit: false });
});

test('news is what came since the visit before, whether this one is noted yet or not', () => {
	const yesterday = visitsAfter(null, at(-DAY));
	const since = { at: iso(-DAY), isVisit: true };
	expect(newsSince(yesterday, at(0))).toEqual(since);
	let visits = visitsAfter(yesterday, at(0));
	expect(newsSince(visits, at(0))).toEqual(since);
	// It stays the same for the whole visit, however long that is.
	for (let later = 5 * MINUTE; later < 5 * HOUR; later += 50 * MINUTE) {
		visits = visitsAfter(visits, at(later));
		expect(newsSince(visits, at(later))).toEqual(since);
	}
	expect(newsSince(visits, at(DAY))).toEqual({ at: visits.last, isVisit: true });
});

test('a clock that was put back, or a visit years ago, does no harm', () => {
	const ahead: Visits = { last: iso(DAY), before: iso(DAY) };
	expect(newsSince(ahead, at(0))).toEqual({ at: iso(-7 * DAY), isVisit: false });
	const old: Visits = { last: iso(-1000 * DAY), before: null };
	expect(newsSince(old, at(0))).toEqual({ at: iso(-366 * DAY), isVisit: true });
});
