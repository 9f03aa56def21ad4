import { asc, getTableColumns } from 'drizzle-orm';
import type { Element, Root } from 'hast';
import { SKIP, visit } from 'unist-util-visit';
import type { Db } from '#db/client.ts';
import { pages } from '#db/schema.ts';
import { plainRendering, renderArticle, type Rendering } from '#src/core/articles/render.ts';
import { parseHtml, problemOf, writeArticle } from '#src/core/articles/sanitize.ts';
import type { Drawings } from '#src/core/figures/blocks.ts';
import { readDrawings } from '#src/core/figures/drawings/read.server.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { DEFAULT_SETTINGS, isFreeSlug, letterTimes, site } from '#src/site.ts';
import { withTimes } from '#src/texts.ts';
import { builtIn, type Page } from './page.ts';

const ADDRESSES = /^%(CONTACT|PRIVACY)_EMAIL%$/;

const CONTACT = '/contact';
/** Returns what stands where the site has no address for readers: that of its contact form, as people write it. */
const contactForm = () => `${new URL(getEnv().SITE_URL).host}${CONTACT}`;

/** Returns a text with the site's names and addresses in place of their tokens. */
export function fillIn(text: string): string {
	const values: Record<string, string> = {
		'%SITE_NAME%': site.name,
		'%NEWSLETTER%': site.newsletter,
		'%CONTACT_EMAIL%': site.email.contact || contactForm(),
		'%PRIVACY_EMAIL%': site.email.privacy || contactForm(),
		// Stands behind "the operator of the site", whether or not there is a name to give.
		'%OPERATOR%': site.operator && ` (${site.operator})`,
	};
	return withTimes(text, letterTimes()).replace(/%[A-Z_]+%/g, (token) => values[token] ?? token);
}

/** Renderings of pages without drawings: each build shows them all, and a diagram takes long to lay out. */
const rendered = new Map<string, Rendering>();
const MAX_RENDERED = 50;

/** Returns a page's text as its page shows it, with its drawings inline and the site's names and addresses filled in. */
export async function renderPage(content: string, drawings?: Drawings): Promise<Rendering> {
	try {
		const html = filledContent(content);
		if (drawings && drawings.size > 0) return await renderArticle(html, drawings);
		const known = rendered.get(html) ?? (await renderArticle(html));
		if (rendered.size >= MAX_RENDERED) rendered.clear();
		rendered.set(html, known);
		return known;
	} catch (error) {
		// A dump may hold what the desk refuses.
		console.error(problemOf(error));
		return plainRendering(content);
	}
}

/** Returns a page's text with the site's names and addresses filled in. Throws where it cannot be read. */
export function filledContent(content: string): string {
	const tree = parseHtml(content);
	fillInTree(tree);
	return writeArticle(tree);
}

/** Whether this is the site as it comes, which speaks for those who wrote its sample content. */
const isAsShipped = () => site.hasSamples && site.name === DEFAULT_SETTINGS.name;

/** Conditions that a block may begin with: it is only shown where all of its own hold. */
const HOLDS: Readonly<Record<string, () => boolean>> = {
	WITH_SAMPLES: () => site.hasSamples,
	WITHOUT_SAMPLES: () => !site.hasSamples,
	UNDER_OUR_NAME: isAsShipped,
	UNDER_ANOTHER_NAME: () => !isAsShipped(),
};
const CONDITIONS = new RegExp(`^\\s*(%(${Object.keys(HOLDS).join('|')})%\\s*)+`);

/** Returns whether a block is left out, or takes away the conditions that it begins with. */
function isLeftOut({ children: [first] }: Element): boolean {
	const [conditions = ''] = (first?.type === 'text' && CONDITIONS.exec(first.value)) || [];
	if (first?.type !== 'text' || conditions === '') return false;
	first.value = first.value.slice(conditions.length);
	return !conditions.match(/\w+/g)!.every((name) => HOLDS[name]!());
}

/** Fills in a tree of HTML. A block whose condition does not hold goes. An address becomes a link, unless it is in one. */
function fillInTree(tree: Root): void {
	visit(tree, (node, index, parent) => {
		if (node.type === 'element') {
			if (isLeftOut(node) && parent && index !== undefined) {
				const next = parent.children[index + 1];
				const isGap = next?.type === 'text' && next.value.trim() === '';
				parent.children.splice(index, isGap ? 2 : 1);
				return [SKIP, index];
			}
			const { href } = node.properties;
			if (typeof href === 'string') {
				const filled = fillIn(href);
				node.properties['href'] = filled === `mailto:${contactForm()}` ? CONTACT : filled;
			}
			if (!['a', 'code', 'pre'].includes(node.tagName)) return undefined;
			visit(node, 'text', (text) => {
				text.value = fillIn(text.value);
			});
			return SKIP;
		}
		if (node.type !== 'text' || !parent || index === undefined) return undefined;
		const parts = node.value.split(/(%[A-Z]+_EMAIL%)/).filter(Boolean);
		const filled = parts.map((part) =>
			ADDRESSES.test(part) ? linkTo(fillIn(part)) : { type: 'text' as const, value: fillIn(part) },
		);
		parent.children.splice(index, 1, ...filled);
		return [SKIP, index + filled.length];
	});
}

const linkTo = (address: string): Element => ({
	type: 'element',
	tagName: 'a',
	properties: { href: address.includes('@') ? `mailto:${address}` : CONTACT },
	children: [{ type: 'text', value: address }],
});

/** Returns the pages that readers see, by title, with the site's names and addresses filled in. Only their texts keep the tokens. */
export async function listPages(db: Db): Promise<Page[]> {
	const { offer: _offer, createdAt: _created, ...columns } = getTableColumns(pages);
	const rows = await db
		.select(columns)
		.from(pages)
		.where(isReadable('page row', pages.id))
		.orderBy(asc(pages.title), asc(pages.slug));
	const drawings = await readDrawings(
		db,
		rows.map(({ content }) => content),
	);
	return rows.flatMap(({ published, version, updatedAt, content, ...page }) =>
		builtIn(page.slug) || (published && isFreeSlug(page.slug))
			? [
					{
						...filledIn({
							...page,
							...ownPart({ ...page, version }),
						}),
						content,
						drawings: [...drawings].filter(([id]) => content.includes(id)),
						isEdited: version > 1,
						// What was seeded changed when its file says.
						updatedAt: version > 1 ? updatedAt.toISOString() : page.dated,
					},
				]
			: [],
	);
}

/** Returns what is left out of a page that nobody edited, for a site without the sample content that it speaks of. */
export function ownPart({ slug, version }: { slug: string; version: number }) {
	if (version !== 1 || site.hasSamples) return {};
	return {
		testimonials: [],
		...(slug === 'home' && { questions: [] }),
		...(slug === 'about' && { content: '' }),
	};
}

/** Returns a value with each of its texts filled in. */
function filledIn<Value>(value: Value): Value {
	return JSON.parse(JSON.stringify(value), (_, one: unknown) =>
		typeof one === 'string' ? fillIn(one) : one,
	) as Value;
}
