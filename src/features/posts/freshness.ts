import { DAY } from '#src/lib/dates.ts';

/** Age in days up to which an article was updated recently. */
const RECENT_DAYS = 30;
/** Age in days from which an article waits for a review. */
export const CURRENT_DAYS = 90;

/** Texts of the freshness badge and the state of each (product.md section 4). */
export const FRESHNESS = {
	'Recently Updated': 'fresh',
	Current: 'recent',
	'Review Pending': 'outdated',
} as const;
export type Freshness = keyof typeof FRESHNESS;

/** Returns the badge's text by days since the last update. */
export function freshness(updatedAt: Date, now: Date): Freshness {
	const days = (now.getTime() - updatedAt.getTime()) / DAY;
	if (days <= RECENT_DAYS) return 'Recently Updated';
	return days <= CURRENT_DAYS ? 'Current' : 'Review Pending';
}

/** Returns when an unchanged article starts to wait for a review. */
export function expiry(updatedAt: Date): Date {
	return new Date(updatedAt.getTime() + CURRENT_DAYS * DAY);
}

/** Returns up to when the badge of an unchanged article stays as it is now, in milliseconds since 1970. */
export function freshUntil(updatedAt: Date, now: Date): number {
	const ends = [RECENT_DAYS, CURRENT_DAYS].map((days) => updatedAt.getTime() + days * DAY);
	return ends.find((end) => now.getTime() <= end) ?? Infinity;
}
