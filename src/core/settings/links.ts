/** The rules of links. Apart from the other rules of the site, which need a parser of SVG. */
import * as z from 'zod/mini';
import { singleLine } from '#src/lib/text.ts';

/** Returns the rule of a text of one line; with `missing`, of one that is not empty. */
export const line = (max: number, missing?: string) =>
	z.pipe(
		z.pipe(z.string('Use a text.'), z.transform(singleLine)),
		z
			.string()
			.check(
				...(missing ? [z.regex(/[\p{L}\p{N}]/u, missing)] : []),
				z.maxLength(max, `Use ${max} characters or fewer`),
			),
	);

/** Returns whether a text is a path of this site, which `//host` is not. */
export const isPath = (href: string) => /^\/(?![/\\])[^\s\\]*$/.test(href);
/** A path of this site, or an address that does nothing but open. */
const isLink = (href: string) =>
	isPath(href) || isElsewhere(href) || /^mailto:[^\s@]+@[^\s@]+$/i.test(href);
const isElsewhere = (href: string) => /^https?:\/\/\S+$/i.test(href) && URL.canParse(href);

const MAX_LINKS = 12;

/** Links in their order. */
export const links = z
	.array(
		z.object({
			label: line(60, 'Please enter the words of the link.'),
			href: z
				.string('Please enter an address.')
				.check(
					z.trim(),
					z.maxLength(500, 'Use 500 characters or fewer'),
					z.refine(isLink, 'Use a path like /about, or an address that begins with https://.'),
				),
		}),
		{ error: 'Give a list of links.' },
	)
	.check(z.maxLength(MAX_LINKS, `List ${MAX_LINKS} links or fewer`));
