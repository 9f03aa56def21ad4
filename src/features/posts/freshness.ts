// With no import the badge's script fits into the page.
const DAY = 86_400_000;

/** From this age on, in days, an article waits for a review. */
const CURRENT_DAYS = 90;

/** What the freshness badge says, and the state that it stands for (specification section 4). */
export const FRESHNESS = {
	'Recently Updated': 'fresh',
	Current: 'recent',
	'Review Pending': 'outdated',
} as const;
export type Freshness = keyof typeof FRESHNESS;

/** What the badge says by days since the last update. */
export function freshness(updatedAt: Date, now: Date): Freshness {
	const days = (now.getTime() - updatedAt.getTime()) / DAY;
	if (days <= 30) return 'Recently Updated';
	return days <= CURRENT_DAYS ? 'Current' : 'Review Pending';
}

/** When an article that stays as it is will wait for a review. */
export function expiry(updatedAt: Date): Date {
	return new Date(updatedAt.getTime() + CURRENT_DAYS * DAY);
}
