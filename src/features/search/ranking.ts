import type { Hit } from './search.ts';

/** What a word counts by where it stands; in the text, up to so much, the more often the nearer. */
const PLACE_WEIGHTS = { title: 3, tags: 1.6, headings: 1.4, excerpt: 1.2, body: 1.6 };
/** A text of average length that says a word so often has half of what it can have for it. */
const HALF_SATURATION = 4;
/** What two parts that stand beside each other count besides, as a share of what they count alone. */
const ADJACENCY_WEIGHT = 0.5;
/** No more letters than this are between them. */
const MAX_GAP = 3;

/** One way in which articles may say what a part of a question looks for. */
export type Form = {
	/** A word or a phrase; with a `*` behind it, the beginning of a word. */
	text: string;
	/** 1 for the thing itself, less for what is like it. */
	weight: number;
	/** It is another thing, which may help. */
	near?: true;
	/** The word that this is, where another was typed. */
	corrects?: string;
};
/** A part of a question: how articles say it, and how few do. */
type Part = { forms: Form[]; rarity: number };

type Article = {
	title: string;
	tags: string;
	excerpt: string | null;
	headings: { text: string }[];
	body: string;
};
export type Ranked<One> = {
	article: One;
	score: number;
	/** The forms that are there. */
	found: ReadonlySet<string>;
	/** It has every part of the question; what is only near one does not count. */
	whole: boolean;
};

/** Articles by how much of a question they have, where, and how rare that is: best first, equal ones as they came. */
export function rank<One extends Article>(
	articles: One[],
	parts: Part[],
	hitsOf: (text: string) => Hit[],
): Ranked<One>[] {
	const read = createMatcher(parts);
	const letters = articles.reduce((sum, { body }) => sum + body.length, 0);
	const length = letters / articles.length || 1;
	const ranked = articles.map((article) => {
		const halfSaturation = HALF_SATURATION * (0.5 + article.body.length / length / 2);
		const texts = {
			title: article.title,
			tags: article.tags,
			headings: article.headings.map(({ text }) => text).join('\n'),
			excerpt: article.excerpt ?? '',
			body: article.body,
		};
		const found = new Set<string>();
		const named = new Set<number>();
		/** How much of each part it has, 1 at most. */
		const has = parts.map(() => 0);
		let points = 0;
		for (const place of Object.keys(PLACE_WEIGHTS) as (keyof typeof PLACE_WEIGHTS)[]) {
			const most = parts.map(() => 0);
			const sum = parts.map(() => 0);
			const beside = parts.map(() => 0);
			let before: { end: number; said: Match[] } = { end: -Infinity, said: [] };
			for (const hit of hitsOf(texts[place])) {
				const said = read(hit.found);
				for (const { part, form } of said) {
					most[part] = Math.max(most[part]!, form.weight);
					sum[part]! += form.weight;
					found.add(form.text);
					if (!form.near) named.add(part);
					const isBeside = before.said.some((match) => match.part === part - 1);
					if (isBeside && hit.start - before.end <= MAX_GAP) beside[part]!++;
				}
				before = { end: hit.end, said };
			}
			for (const [part, { rarity }] of parts.entries()) {
				const isText = place === 'body';
				const share = isText ? sum[part]! / (sum[part]! + halfSaturation) : most[part]!;
				points += PLACE_WEIGHTS[place] * share * rarity;
				const pairs = beside[part]!;
				if (pairs > 0) {
					const worth = isText ? pairs / (pairs + 1) : PLACE_WEIGHTS[place] / 2;
					points += ADJACENCY_WEIGHT * worth * (rarity + parts[part - 1]!.rarity);
				}
				has[part] = Math.max(has[part]!, most[part]!);
			}
		}
		const covered = parts.reduce((sum, { rarity }, part) => sum + rarity * has[part]!, 0);
		return { article, found, whole: named.size === parts.length, score: points * covered };
	});
	return ranked.filter(({ found }) => found.size > 0).sort((a, b) => b.score - a.score);
}

type Match = { part: number; form: Form };

/** Reads what was found in a text: of which parts it is a form. A phrase says what its words say as well. */
function createMatcher(parts: Part[]): (found: string) => Match[] {
	const all = parts.flatMap(({ forms }, part) => forms.map((form) => ({ part, form })));
	const known = new Map<string, Match[]>();
	return (found) => {
		const before = known.get(found);
		if (before) return before;
		const words = found.match(/[\p{L}\p{N}]+/gu) ?? [];
		const said = new Set([words.join(' '), ...words]);
		const meant = all.filter(({ form: { text } }) =>
			text.endsWith('*')
				? [...said].some((word) => word.startsWith(text.slice(0, -1)))
				: said.has(text),
		);
		known.set(found, meant);
		return meant;
	};
}
