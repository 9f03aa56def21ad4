import type { Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';
import { checkFigures } from '#src/core/figures/blocks.ts';
import { parseHtml } from '#src/core/articles/sanitize.ts';
import type { PostForm } from '#src/features/posts/editing.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import type { Runs } from './programs.ts';

/** One point of the list: `good`, or what could be better. It advises; nothing is refused by it. */
export type Advice = {
	id: string;
	good: boolean;
	text: string;
	/** A link after the text. */
	link?: { text: string; href: string };
};

/** Characters that search engines and social cards show whole. */
export const TITLE = { min: 20, max: 60 };
export const DESCRIPTION = { min: 70, max: 160 };
/** Flesch-Kincaid grade above which a text for engineers tires. */
export const MAX_GRADE = 14;

/**
 * Results of checks that need the server: dead addresses of this site, formulas that cannot be rendered, with reasons,
 * whether the featured image is described, and what else says the same.
 */
export type Known = {
	dead: ReadonlySet<string>;
	broken: ReadonlyMap<string, string>;
	/** Whether the featured image has no description. */
	isSilent?: boolean;
	/** The article that says nearly the same, if any. */
	alike?: { title: string; slug: string } | null | undefined;
	/** Blocks that readers can run, where they have been run. */
	runs?: Runs | undefined;
};

/** Returns suggestions before publishing. `known` is undefined until the server's checks have run. */
export function advise(form: PostForm, known?: Known): Advice[] {
	const tree = parseHtml(form.content);
	const grade = gradeOf(proseOf(tree));
	const points: (Advice | null)[] = [
		lengthOf('title', 'The title', form.metaTitle || form.title, TITLE),
		lengthOf('description', 'The description', form.metaDescription || form.excerpt, DESCRIPTION),
		form.excerpt.trim()
			? null
			: {
					id: 'excerpt',
					good: false,
					text: 'There is no excerpt: cards and lists show only the title.',
				},
		known?.isSilent
			? {
					id: 'featured-image',
					good: false,
					text: 'The featured image has no description (alt text).',
				}
			: null,
		known?.alike
			? {
					id: 'alike',
					good: false,
					text: 'Much like: ',
					link: { text: known.alike.title, href: paths.post(known.alike.slug) },
				}
			: null,
		images(tree),
		headings(tree),
		formulas(tree, known?.broken),
		figures(tree),
		runs(known?.runs),
		links(tree, known?.dead),
		footnotes(tree),
		grade === null
			? null
			: {
					id: 'reading',
					good: grade <= MAX_GRADE,
					text:
						grade <= MAX_GRADE
							? `Reading level: grade ${grade} (Flesch-Kincaid).`
							: `Reading level: grade ${grade} (Flesch-Kincaid). Shorter sentences would help.`,
				},
	];
	return points.filter((point) => point !== null);
}

function lengthOf(id: string, name: string, value: string, { min, max }: typeof TITLE): Advice {
	const { length } = value.trim();
	const subject = `${name} has ${plural(length, 'character')}`;
	if (length === 0) return { id, good: false, text: `${name} is empty.` };
	if (length < min) return { id, good: false, text: `${subject}: ${min} to ${max} say more.` };
	if (length > max)
		return {
			id,
			good: false,
			text: `${subject}: after about ${max} it is cut off in search results.`,
		};
	return { id, good: true, text: `${subject}.` };
}

function images(tree: Root): Advice | null {
	let all = 0;
	let silent = 0;
	let foreign = 0;
	visit(tree, 'element', ({ tagName, properties }) => {
		if (tagName !== 'img') return;
		all++;
		if (!String(properties.alt ?? '').trim()) silent++;
		if (/^https?:/.test(String(properties.src))) foreign++;
	});
	if (all === 0) return null;
	if (silent > 0)
		return {
			id: 'images',
			good: false,
			text: `${plural(silent, 'image')} without a description (alt text).`,
		};
	if (foreign > 0)
		return {
			id: 'images',
			good: false,
			text: `${plural(foreign, 'image')} of other sites: pages show only uploaded ones.`,
		};
	return {
		id: 'images',
		good: true,
		text: all === 1 ? 'The image has a description.' : `All ${all} images have a description.`,
	};
}

function headings(tree: Root): Advice | null {
	let before = 1;
	let wrong = '';
	let count = 0;
	visit(tree, 'element', (node) => {
		const level = /^h([1-6])$/.exec(node.tagName)?.[1];
		if (!level || node.properties.id === 'footnote-label') return;
		count++;
		const text = toString(node).trim();
		if (!wrong && !text) wrong = 'A heading is empty.';
		else if (!wrong && Number(level) > before + 1)
			wrong = `“${text}” is a heading of level ${level} after one of level ${before}: a level is left out.`;
		before = Number(level);
	});
	if (count === 0) return null;
	return wrong
		? { id: 'headings', good: false, text: wrong }
		: { id: 'headings', good: true, text: 'Headings are in order.' };
}

/** The formulas of an article, each once. */
export function formulasOf(html: string): string[] {
	return latexOf(parseHtml(html));
}

function latexOf(tree: Root): string[] {
	const found = new Set<string>();
	visit(tree, 'element', ({ properties }) => {
		if (typeof properties.dataLatex === 'string') found.add(properties.dataLatex);
	});
	return [...found];
}

function formulas(tree: Root, broken: Known['broken'] | undefined): Advice | null {
	const all = latexOf(tree);
	if (all.length === 0 || !broken) return null;
	const [first, ...more] = all.filter((latex) => broken.has(latex));
	if (first === undefined)
		return {
			id: 'formulas',
			good: true,
			text: `${plural(all.length, 'formula')}: each can be drawn.`,
		};
	const others = more.length > 0 ? ` ${plural(more.length, 'other')} too.` : '';
	return {
		id: 'formulas',
		good: false,
		text: `The formula “${first}” has a mistake: ${broken.get(first)}.${others}`,
	};
}

function figures(tree: Root): Advice | null {
	const { ids, reasons } = checkFigures(tree);
	const lost = new Set<string>();
	visit(tree, 'element', ({ tagName, properties }) => {
		const place = tagName === 'a' ? /^#(fig-.*)/.exec(String(properties.href))?.[1] : undefined;
		if (place && !ids.has(place)) lost.add(`#${place}`);
	});
	const id = 'figures';
	if (reasons[0]) return { id, good: false, text: `A figure cannot be drawn: ${reasons[0]}.` };
	if (lost.size > 0)
		return { id, good: false, text: `A link leads to no figure: ${[...lost].join(', ')}` };
	if (ids.size === 0) return null;
	return { id, good: true, text: `${plural(ids.size, 'figure')}: each can be drawn.` };
}

function runs(known: Runs | undefined): Advice | null {
	if (!known || known.all === 0) return null;
	const { all, differing } = known;
	const count = plural(differing || all, 'block');
	const verb = (differing || all) === 1 ? 'prints' : 'print';
	return differing > 0
		? { id: 'runs', good: false, text: `${count} ${verb} something else than the text says.` }
		: { id: 'runs', good: true, text: `${count} ${verb} what the text says.` };
}

/** Returns each path of this site that an article links to, once, without queries and fragments. */
export function internalLinks(html: string): string[] {
	return linksOf(parseHtml(html));
}

function linksOf(tree: Root): string[] {
	const found = new Set<string>();
	visit(tree, 'element', ({ tagName, properties }) => {
		const href = tagName === 'a' ? String(properties.href ?? '') : '';
		if (/^\/(?!\/)/.test(href)) found.add(href.replace(/[#?].*$/, ''));
	});
	return [...found];
}

function links(tree: Root, dead: ReadonlySet<string> | undefined): Advice | null {
	const all = linksOf(tree);
	if (all.length === 0 || !dead) return null;
	const lost = all.filter((link) => dead.has(link));
	return lost.length > 0
		? {
				id: 'links',
				good: false,
				text: `${lost.length === 1 ? 'A link leads' : 'Links lead'} nowhere: ${lost.join(', ')}`,
			}
		: {
				id: 'links',
				good: true,
				text: `${plural(all.length, 'link')} into this site: none is dead.`,
			};
}

function footnotes(tree: Root): Advice | null {
	const marks = new Set<string>();
	const notes = new Map<string, boolean>();
	visit(tree, 'element', (node) => {
		if (node.properties.dataFootnoteRef !== undefined)
			marks.add(String(node.properties.href).slice('#fn-'.length));
		const name =
			node.tagName === 'li' ? /^fn-(.+)$/.exec(String(node.properties.id ?? ''))?.[1] : undefined;
		if (name) notes.set(name, toString(node).replace(/↩\d*/g, '').trim() !== '');
	});
	if (marks.size + notes.size === 0) return null;
	const empty = [...marks].filter((name) => !notes.get(name)).length;
	const unused = [...notes.keys()].filter((name) => !marks.has(name)).length;
	if (empty > 0)
		return { id: 'footnotes', good: false, text: `${plural(empty, 'footnote')} without text.` };
	if (unused > 0)
		return {
			id: 'footnotes',
			good: false,
			text: `${plural(unused, 'footnote')} without a mark in the text.`,
		};
	return {
		id: 'footnotes',
		good: true,
		text: `${plural(notes.size, 'footnote')}, each with its mark.`,
	};
}

/** Sentences of paragraphs and list items: no headings, code, tables or math. */
function proseOf(tree: Root): string {
	const parts: string[] = [];
	visit(tree, 'element', (node) => {
		if (/^(pre|table|section|figure)$/.test(node.tagName)) return 'skip';
		if (node.tagName !== 'p') return undefined;
		parts.push(toString(node));
		return 'skip';
	});
	return parts.join('\n');
}

/**
 * The Flesch-Kincaid grade level, to one decimal: 0.39 × words per sentence + 11.8 × syllables per word - 15.59.
 * Null below 100 words, where it means nothing.
 */
export function gradeOf(text: string): number | null {
	const words = text.match(/[A-Za-z]+(?:['’][A-Za-z]+)*/g) ?? [];
	if (words.length < 100) return null;
	const sentences = text
		.split(/[.!?]+["”')\]]*(?:\s|$)|\n+/)
		.filter((part) => /[A-Za-z]/.test(part)).length;
	const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
	return (
		Math.round(
			(0.39 * (words.length / sentences) + 11.8 * (syllables / words.length) - 15.59) * 10,
		) / 10
	);
}

/** Syllables of an English word, about: groups of vowels, without a silent e. */
export function syllablesOf(word: string): number {
	const letters = word.toLowerCase().replace(/[^a-z]/g, '');
	const groups = letters
		.replace(/(?:[^laeiouy]es|[^aeiouytd]ed|[^laeiouy]e)$/, (end) => end[0]!)
		.match(/[aeiouy]+/g);
	return Math.max(1, groups?.length ?? 0);
}
