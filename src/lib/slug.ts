/**
 * Converts a title to a slug (product.md section 5): lower case, other characters become single hyphens,
 * none at the ends.
 */
export function slugify(text: string): string {
	return text
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-+|-+$/g, '');
}
