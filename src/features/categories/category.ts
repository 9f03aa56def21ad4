/** Where drafts are until somebody chooses; readers see it only with a post in it. */
export const UNCATEGORIZED = { name: 'Uncategorized', slug: 'uncategorized' };

/** A category (specification section 3). */
export type Category = {
	id: string;
	slug: string;
	name: string;
	description: string | null;
	/** CSS hex colour. */
	color: string;
};
