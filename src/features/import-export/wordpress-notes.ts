import * as z from 'zod/mini';
import { addNote, type Bundle } from './bundle.ts';

const stored = z.array(z.object({ id: z.string(), content: z.string() }));
/** Shortcodes of plugins whose text is a footnote. */
const NOTE = /(?<!\[)\[(footnote|ref|mfn|efn_note|note)(?:\s[^\]]*)?\]([^]*?)\[\/\1\]/gi;
const REFERENCE = /<sup\b[^>]*\bdata-fn="([^"]+)"[^>]*>[^]*?<\/sup>/gi;

/**
 * Returns a text of WordPress with its footnotes as our articles hold them: those of its own block, whose words stand in a field
 * of the post, and those of plugins, whose words stand in the text.
 */
export function withFootnotes(
	source: string,
	field: string,
	report: (kind: string, what: string, detail?: string) => void,
): string {
	const texts = new Map(read(field).map(({ id, content }) => [id, content]));
	const numbers = new Map<string, { number: number; text: string; uses: number }>();
	const refer = (id: string, text: string) => {
		const known = numbers.get(id) ?? { number: numbers.size + 1, text, uses: 0 };
		numbers.set(id, known);
		known.uses++;
		const { number, uses } = known;
		const at = uses === 1 ? `${number}` : `${number}-${uses}`;
		return `<sup><a href="#fn-${number}" id="fnref-${at}" data-footnote-ref aria-describedby="footnote-label">${number}</a></sup>`;
	};
	const text = source
		.replace(REFERENCE, (all, id: string) => {
			const words = texts.get(id);
			if (words !== undefined) return refer(id, words);
			report('footnote', 'Left out: the file holds no words of it');
			return '';
		})
		.replace(NOTE, (_, __, words: string) => refer(`text ${numbers.size}`, words.trim()))
		.replace(/<!--\s*wp:footnotes\b[^]*?\/-->/g, '');
	if (numbers.size === 0) return text;
	const items = [...numbers.values()].map(({ number, text: words, uses }) => {
		report('footnote', '');
		const back = Array.from({ length: uses }, (_, index) => {
			const at = index === 0 ? `${number}` : `${number}-${index + 1}`;
			return `<a href="#fnref-${at}" data-footnote-backref aria-label="Back to reference ${at}" class="data-footnote-backref">↩</a>`;
		});
		return `<li id="fn-${number}"><p>${words} ${back.join(' ')}</p></li>`;
	});
	return `${text}\n\n<section data-footnotes class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2><ol>${items.join('')}</ol></section>`;
}

function read(field: string): z.infer<typeof stored> {
	try {
		return stored.safeParse(JSON.parse(field)).data ?? [];
	} catch {
		return [];
	}
}

/** Fields in which plugins keep a title or a description for search engines. */
const SEO: Record<'title' | 'description', readonly string[]> = {
	title: [
		'_yoast_wpseo_title',
		'rank_math_title',
		'_aioseo_title',
		'_aioseop_title',
		'_seopress_titles_title',
		'_genesis_title',
	],
	description: [
		'_yoast_wpseo_metadesc',
		'rank_math_description',
		'_aioseo_description',
		'_aioseop_description',
		'_seopress_titles_desc',
		'_genesis_description',
	],
};
/** Names of fields that come with a post. */
export const READ_FIELDS: ReadonlySet<string> = new Set([
	...Object.values(SEO).flat(),
	'_thumbnail_id',
	'_wp_old_slug',
	'footnotes',
]);

/** %%title%% of Yoast and SEOPress, %title% of Rank Math, #post_title of All in One SEO. */
const VARIABLE = /%%([\w-]+)%%|%([a-z_]+)(?:\([^)]*\))?%|#([a-z]+(?:_[a-z]+)+)/g;
const SEPARATOR = /^[\s|·•»–—:~*-]+|[\s|·•»–—:~*-]+$/g;

/** Returns what a plugin wrote for search engines, with its variables written out; empty where one cannot be. */
export function seoText(
	bundle: Bundle,
	key: string,
	name: keyof typeof SEO,
	meta: (name: string) => string,
	facts: { title: string; excerpt: string; category: string },
): string {
	const given = SEO[name].map(meta).find(Boolean) ?? '';
	const variables = [...given.matchAll(VARIABLE)].map(([, ...parts]) => parts.find(Boolean)!);
	if (variables.length === 0) return given;
	const valueOf = (variable: string): string | undefined => {
		if (/^(post_)?title$/.test(variable)) return facts.title;
		if (/^(post_)?excerpt(_only)?$/.test(variable)) return facts.excerpt;
		if (/^((primary_|post_)?category|categories|term_title)$/.test(variable)) return facts.category;
		// The site's name, a page's number and what stands between them: pages here add their own.
		return /^(sitename|site_?title|blog_title|sep|separator(_sa)?|page(_number)?|pagenumber|pagetotal)$/.test(
			variable,
		)
			? ''
			: undefined;
	};
	const values = variables.map(valueOf);
	if (values.includes(undefined)) {
		addNote(
			bundle,
			key,
			`Its ${name} for search engines has variables that mean nothing here: it is left empty`,
			given,
		);
		return '';
	}
	addNote(bundle, key, `The variables in its ${name} for search engines are written out`, given);
	return given
		.replace(
			VARIABLE,
			(_, ...parts: (string | undefined)[]) => valueOf(parts.slice(0, 3).find(Boolean)!) ?? '',
		)
		.replace(/\s+/g, ' ')
		.replace(SEPARATOR, '');
}
