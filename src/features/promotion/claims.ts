/**
 * Invented figures (product.md section 1). Only `.astro` files read them, and only while INVENTED_PROOF is
 * on. They reach the browser as props, so that with the switch off no page and no script contains any.
 */
export const CLAIMS = {
	readers: '10,000+',
	professionals: '15,000+',
	courseMembers: '5,000+',
	/** Spots of the free masterclass (product.md section 4). */
	spots: { total: 50, left: 12 },
} as const;

/** Rating claimed in the structured data. Search engines forbid such ratings: see the README. */
export const CLAIMED_RATING = {
	ratingValue: 4.8,
	reviewCount: 247,
} as const;
