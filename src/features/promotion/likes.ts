/**
 * Returns the invented number of likes on a first visit: 50 to 549 (product.md section 9). `random` returns
 * a number from 0 to below 1.
 */
export function seedLikes(random: () => number): number {
	return 50 + Math.floor(random() * 500);
}
