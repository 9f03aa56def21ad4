/**
 * Figures that nobody counted (specification section 1). Only `.astro` files read them, and only while INVENTED_PROOF is on:
 * what reaches a browser reaches it as a prop, so that with the switch off no page and no script holds any of them.
 */
export const CLAIMS = {
	readers: '10,000+ readers',
	professionals: '15,000+ professionals',
	courseMembers: '5,000+ members',
	rating: { value: 4.8, count: 247 },
	/** Of the free masterclass (specification section 4). */
	spots: { total: 50, left: 12 },
} as const;
