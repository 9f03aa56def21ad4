/** A category (product.md section 3). */
export type Category = {
	id: string;
	slug: string;
	name: string;
	description: string | null;
	/** CSS hex color. */
	color: string;
};

/** Color of a category whose own is invalid. */
export const DEFAULT_COLOR = '#0e7490';
