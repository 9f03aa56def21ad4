// With no import the badge's script fits into the page.
const DAY = 86_400_000;

/** From this age on, in days, an article waits for a review. */
const CURRENT_DAYS = 90;

/** What the freshness badge says, by days since the last update (specification section 4). */
export function freshness(
	updatedAt: Date,
	now: Date,
): 'Recently Updated' | 'Current' | 'Review Pending' {
	const days = (now.getTime() - updatedAt.getTime()) / DAY;
	if (days <= 30) return 'Recently Updated';
	return days <= CURRENT_DAYS ? 'Current' : 'Review Pending';
}

/** When an article that stays as it is will wait for a review. */
export function expiry(updatedAt: Date): Date {
	return new Date(updatedAt.getTime() + CURRENT_DAYS * DAY);
}
