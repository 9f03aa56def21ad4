import { namesIn } from '#src/lib/folding.ts';
import type { Hit } from './search.ts';

/** Weights of places. In the body it is an upper limit, approached with each occurrence. */
const PLACE_WEIGHTS = {
	title: 3,
	searchedAs: 1.6,
	tags: 1.6,
	headings: 1.4,
	excerpt: 1.2,
	body: 1.6,
};
/** Occurrences at which a text of average length gets half of the limit. */
const HALF_SATURATION = 4;
/** Bonus for adjacent parts, as a share of their own weights. */
const ADJACENCY_WEIGHT = 0.5;
/** Bonus for a title that is the question, as a share of the weight of its words there. */
const WHOLE_TITLE_WEIGHT = 1;
/** Maximum number of letters between adjacent parts. */
const MAX_GAP = 3;

/** One way in which articles may express a part of a question. */
export type Form = {
	/** A word or a phrase; a trailing `*` makes it a prefix. */
	text: string;
	/** 1 for the thing itself, less for similar ones. */
	weight: number;
	/** A related thing, which may help. */
	near?: true;
	/** The intended word, if another one was typed. */
	corrects?: string;
};
/** A part of a question with its forms and its rarity. */
type Part = { forms: Form[]; rarity: number };

/** An article, or another page. */
export type Article = {
	title: string;
	tags: string;
	excerpt: string | null;
	/** Words that readers may use instead. */
	searchedAs: string;
	headings: { text: string }[];
	body: string;
};
export type Scored<One> = {
	article: One;
	/** As a share of the question, so that scores of different questions can be compared. */
	score: number;
	/** Forms that occur. */
	found: ReadonlySet<string>;
	/** Every part of the question occurs; related forms do not count. */
	whole: boolean;
	/** The share of the question that occurs, by how rare its parts are. */
	covered: number;
};

/**
 * Scores articles by how much of a question they contain, where, and how rare that is: about 1 for all of it in the
 * text alone, several for all of it in the title, 0 for nothing of it.
 */
export function scoreWords<One extends Article>(
	articles: One[],
	parts: Part[],
	hitsOf: (text: string) => Hit[],
): Scored<One>[] {
	const read = createMatcher(parts);
	const letters = articles.reduce((sum, { body }) => sum + body.length, 0);
	const length = letters / articles.length || 1;
	const rarest = parts.reduce((sum, { rarity }) => sum + rarity, 0);
	return articles.map((article) => {
		const halfSaturation = HALF_SATURATION * (0.5 + article.body.length / length / 2);
		const texts = {
			title: article.title,
			searchedAs: shownOf(article.searchedAs),
			tags: shownOf(article.tags),
			headings: article.headings.map(({ text }) => text).join('\n'),
			excerpt: article.excerpt ?? '',
			body: article.body,
		};
		const found = new Set<string>();
		const named = new Set<number>();
		/** How much of each part it contains, at most 1. */
		const has = parts.map(() => 0);
		let points = 0;
		for (const place of Object.keys(PLACE_WEIGHTS) as (keyof typeof PLACE_WEIGHTS)[]) {
			const most = parts.map(() => 0);
			const sum = parts.map(() => 0);
			const beside = parts.map(() => 0);
			let before: { end: number; said: Match[] } = { end: -Infinity, said: [] };
			const hits = hitsOf(texts[place]);
			for (const hit of hits) {
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
			const isWhole = place === 'title' && isCovered(texts.title, hits) && !most.includes(0);
			for (const [part, { rarity }] of parts.entries()) {
				const isText = place === 'body';
				const share = isText ? sum[part]! / (sum[part]! + halfSaturation) : most[part]!;
				points += PLACE_WEIGHTS[place] * share * rarity * (isWhole ? 1 + WHOLE_TITLE_WEIGHT : 1);
				const pairs = beside[part]!;
				if (pairs > 0) {
					const worth = isText ? pairs / (pairs + 1) : PLACE_WEIGHTS[place] / 2;
					points += ADJACENCY_WEIGHT * worth * (rarity + parts[part - 1]!.rarity);
				}
				has[part] = Math.max(has[part]!, most[part]!);
			}
		}
		const covered = parts.reduce((sum, { rarity }, part) => sum + rarity * has[part]!, 0);
		return {
			article,
			found,
			whole: named.size === parts.length,
			covered: covered / rarest,
			score: (points * covered) / rarest ** 2,
		};
	});
}

/** Returns what was written, without what only the index holds: lines after the first. */
const shownOf = (text: string) => text.split('\n', 1)[0]!;

/** Returns whether a text has no words but these. */
function isCovered(text: string, hits: Hit[]): boolean {
	let at = 0;
	const between = hits.map(({ start, end }) => {
		const gap = text.slice(at, start);
		at = end;
		return gap;
	});
	return !/[\p{L}\p{N}]/u.test(between.join('') + text.slice(at));
}

type Match = { part: number; form: Form };

/** Returns a function that maps a found text to the parts of which it is a form. A phrase also matches as its words. */
function createMatcher(parts: Part[]): (found: string) => Match[] {
	const all = parts.flatMap(({ forms }, part) => forms.map((form) => ({ part, form })));
	const known = new Map<string, Match[]>();
	return (found) => {
		const before = known.get(found);
		if (before) return before;
		const words = namesIn(found);
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
