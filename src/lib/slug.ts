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

/** Returns the first of `slug`, `slug-2`, `slug-3` and so on that is not taken, and takes it. */
export function uniqueSlug(slug: string, taken: Set<string>): string {
	let unique = slug;
	for (let count = 2; taken.has(unique); count++) unique = `${slug}-${count}`;
	taken.add(unique);
	return unique;
}
