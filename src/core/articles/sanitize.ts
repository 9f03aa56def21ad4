import type { Root } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeSanitize, { defaultSchema, type Options as SanitizeSchema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { CALLOUTS } from './callouts.ts';

/** What an article may hold: the allow-list of the sanitizer. Everything else is dropped. */
const allowed: SanitizeSchema = {
	...defaultSchema,
	clobberPrefix: '',
	clobber: [],
	tagNames: [
		...(defaultSchema.tagNames ?? []),
		'figure',
		'figcaption',
		'aside',
		'mark',
		'abbr',
		'cite',
	],
	attributes: {
		...defaultSchema.attributes,
		a: [
			'href',
			'title',
			['rel', 'noopener', 'nofollow'],
			'ariaLabel',
			'dataFootnoteRef',
			'dataFootnoteBackref',
			'ariaDescribedBy',
			['className', 'data-footnote-backref'],
		],
		aside: [['dataCallout', ...CALLOUTS]],
		code: [['className', /^language-[\w+#-]+$/]],
		div: [['dataType', 'block-math'], 'dataLatex'],
		figure: [['dataExplainer', /^[a-z0-9-]+$/]],
		img: ['src', 'alt', 'title', 'width', 'height'],
		span: [['dataType', 'inline-math'], 'dataLatex'],
		input: [...(defaultSchema.attributes?.['input'] ?? []), 'checked'],
		ol: [...(defaultSchema.attributes?.['ol'] ?? []), 'start', 'reversed'],
		section: ['dataFootnotes', ['className', 'footnotes']],
		h2: [['className', 'sr-only']],
		td: ['colSpan', 'rowSpan', 'align'],
		th: ['colSpan', 'rowSpan', 'align', ['scope', 'row', 'col']],
		// Footnotes refer to each other by id; a heading's id is made when the article is rendered.
		'*': [['id', /^(user-content-)?fn(ref)?-[\w-]+$/, 'footnote-label'], 'title'],
	},
	protocols: {
		href: ['http', 'https', 'mailto'],
		src: ['http', 'https'],
		cite: ['http', 'https'],
	},
};

const parser = unified().use(rehypeParse, { fragment: true });
const sanitizer = unified().use(rehypeSanitize, allowed);
const writer = unified().use(rehypeStringify);

/** HTML as it is: nothing is taken out. */
export function parseHtml(html: string): Root {
	return parser.parse(html);
}

/** An untrusted article as a tree that holds nothing but what is allowed. */
export function parseArticle(html: string): Root {
	return sanitizeTree(parseHtml(html));
}

/** What of a tree may stay; the positions of what stays are kept. */
export function sanitizeTree(tree: Root): Root {
	return sanitizer.runSync(tree);
}

export function writeArticle(tree: Root): string {
	return writer.stringify(tree);
}

const TOO_DEEP = 'This HTML is nested too deep: take some of the elements around the text away';

/** What an untrusted article becomes before it is stored. Sanitizing twice changes nothing. */
export function sanitizeArticle(html: string): string {
	try {
		return writeArticle(parseArticle(html));
	} catch (error) {
		// Elements in elements, thousands of them: the stack has an end.
		if (!(error instanceof RangeError)) throw error;
		throw new AppError('validation', MESSAGES.validation, { fields: { content: TOO_DEEP } });
	}
}
