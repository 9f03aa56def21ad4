import { DAY } from '#src/lib/dates.ts';

/** What the freshness badge says, by days since the last update (specification section 4). */
export function freshness(
	updatedAt: Date,
	now: Date,
): 'Recently Updated' | 'Current' | 'Review Pending' {
	const days = (now.getTime() - updatedAt.getTime()) / DAY;
	if (days <= 30) return 'Recently Updated';
	return days <= 90 ? 'Current' : 'Review Pending';
}
