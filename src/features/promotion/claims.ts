/**
 * Figures that nobody counted (specification section 1). Only `.astro` files read them, and only while INVENTED_PROOF is on:
 * what reaches a browser reaches it as a prop, so that with the switch off no page and no script holds any of them.
 */
export const CLAIMS = {
	readers: '10,000+',
	professionals: '15,000+',
	courseMembers: '5,000+',
	/** Of the free masterclass (specification section 4). */
	spots: { total: 50, left: 12 },
} as const;

/** The rating that structured data claims. Search engines forbid such ratings: see the README. */
export const CLAIMED_RATING = {
	ratingValue: 4.8,
	reviewCount: 247,
} as const;
