import type { Root } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeSanitize, { defaultSchema, type Options as SanitizeSchema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { CALLOUTS } from './callouts.ts';

/** Allow-list of the sanitizer. Everything else is dropped. */
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
		// Footnotes refer to each other by id. Ids of headings are added when the article is rendered.
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

/** Parses HTML as it is, without removing anything. */
export function parseHtml(html: string): Root {
	return parser.parse(html);
}

/** Parses an untrusted article into a tree that contains only what is allowed. */
export function parseArticle(html: string): Root {
	return sanitizeTree(parseHtml(html));
}

/** Removes what is not allowed from a tree. Positions of the rest are kept. */
export function sanitizeTree(tree: Root): Root {
	return sanitizer.runSync(tree);
}

export function writeArticle(tree: Root): string {
	return writer.stringify(tree);
}

const TOO_DEEP = 'This HTML is nested too deep: take some of the elements around the text away';

/** Sanitizes an untrusted article before it is stored. Sanitizing twice changes nothing. */
export function sanitizeArticle(html: string): string {
	try {
		return writeArticle(parseArticle(html));
	} catch (error) {
		// Thousands of nested elements exhaust the stack.
		if (!(error instanceof RangeError)) throw error;
		throw new AppError('validation', MESSAGES.validation, { fields: { content: TOO_DEEP } });
	}
}
