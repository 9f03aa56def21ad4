import { plainLetters } from './folding.ts';

/**
 * Converts a title to a slug (product.md section 5): lower case, letters and digits of all scripts, Latin ones without
 * marks; other characters become single hyphens, none at the ends.
 */
export function slugify(text: string): string {
	const plain = plainLetters(
		text
			.normalize('NFKD')
			.replace(/\p{Variation_Selector}|(?<=\p{Script=Latin})\p{M}+/gu, '')
			.toLowerCase(),
	).normalize('NFC');
	return (plain.match(/(?:\p{L}\p{M}*|\p{N})+/gu) ?? []).join('-');
}

/** Converts a text to a slug of a–z and 0–9, for names of hosts, files and elements; it may be empty. */
export function asciiSlug(text: string): string {
	return (slugify(text).match(/[a-z0-9]+/g) ?? []).join('-');
}

/** Most bytes of a slug: files are named after it, and a name of a file has 255. */
const MAX_BYTES = 180;

/** Cuts a slug to a number of characters, and to what the name of a file can hold. */
export function cutSlug(slug: string, max: number): string {
	let end = 0;
	let bytes = 0;
	for (const character of slug) {
		bytes += new TextEncoder().encode(character).length;
		if (end + character.length > max || bytes > MAX_BYTES) break;
		end += character.length;
	}
	return slug.slice(0, end).replace(/-+$/, '');
}

/** Returns the first of `slug`, `slug-2`, `slug-3` and so on that is not taken, and takes it. */
export function uniqueSlug(slug: string, taken: Set<string>): string {
	let unique = slug;
	for (let count = 2; taken.has(unique); count++) unique = `${slug}-${count}`;
	taken.add(unique);
	return unique;
}
