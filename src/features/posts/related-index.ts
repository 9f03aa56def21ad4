import { nearness } from '#src/core/meaning/meaning.ts';
import { addToList, isSameList } from '#src/lib/lists.ts';
import { fitOf, MAX_OF_CATEGORY, NEARNESS_STEPS, relatedPosts } from './related.ts';

/** Facts of an article that decide to which ones it is related. */
export type Relatable = {
	id: string;
	/** Milliseconds since 1970. */
	publishedAt: number;
	categoryId: string;
	tagIds: string[];
	/** Ids of the articles that its writer put first. */
	chosen: string[];
	meaning: Float32Array | undefined;
};

type Entry = {
	article: Relatable;
	/** Position among all, newest first. */
	age: number;
	/** The best, best first, without those that were chosen. */
	best: { entry: Entry; fit: number }[];
	/** Whether it is one of the newest of its category, which are compared with one more. */
	isNew: boolean;
};

/** The newest of a category: those that the others are compared with, and one more for each of them. */
type Newest = { forOthers: Entry[]; forThemselves: Entry[] };

/** Above this share of changed articles, finding everything anew is quicker. */
const MOST_CHANGED = 0.1;

/**
 * Finds related articles, and after a change only what that can move: a changed article is looked at by those that had it and
 * by those that share a tag or the category with it; everybody else keeps what they have.
 */
export class RelatedIndex {
	readonly #limit: number;
	#entries = new Map<string, Entry>();
	#newest = new Map<string, Newest>();

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Takes all articles, newest first. */
	update(articles: readonly Relatable[]): void {
		const before = this.#entries;
		const beforeNewest = this.#newest;
		const changed = new Set<Entry>();
		const list = articles.map((article, age): Entry => {
			const entry = before.get(article.id);
			if (entry && isSame(entry.article, article)) {
				entry.age = age;
				return entry;
			}
			const made = { article, age, best: [], isNew: false };
			changed.add(made);
			return made;
		});
		this.#entries = new Map(list.map((entry) => [entry.article.id, entry]));
		const lists = listsOf(list);
		this.#newest = new Map(
			[...lists.byCategory].map(([id, entries]) => [
				id,
				{
					forOthers: entries.slice(0, MAX_OF_CATEGORY),
					forThemselves: entries.slice(0, MAX_OF_CATEGORY + 1),
				},
			]),
		);
		const search = new Search(list, lists, this.#limit);
		if (changed.size > MOST_CHANGED * list.length) {
			for (const entry of list) this.#find(entry, search);
			return;
		}
		const offered = new Map<Entry, Entry[]>();
		for (const entry of changed) {
			for (const id of entry.article.tagIds) {
				for (const age of lists.byTag.get(id)!) addToList(offered, list[age]!, entry);
			}
		}
		/** By category: those that the newest no longer are, and those that they now are. */
		const moves = new Map<string, Record<keyof Newest, { left: Set<Entry>; come: Entry[] }>>();
		for (const [id, newest] of this.#newest) {
			const old = beforeNewest.get(id);
			moves.set(id, {
				forOthers: difference(old?.forOthers ?? [], newest.forOthers),
				forThemselves: difference(old?.forThemselves ?? [], newest.forThemselves),
			});
		}
		const stale = new Set(changed);
		for (const entry of list) {
			if (changed.has(entry)) continue;
			const { categoryId } = entry.article;
			const isNew = this.#isNew(entry);
			const { left, come } = moves.get(categoryId)![isNew ? 'forThemselves' : 'forOthers'];
			const isStale =
				isNew !== entry.isNew ||
				entry.best.some(
					({ entry: other }) => left.has(other) || this.#entries.get(other.article.id) !== other,
				);
			if (isStale) stale.add(entry);
			else for (const other of come) addToList(offered, entry, other);
		}
		for (const entry of stale) this.#find(entry, search);
		for (const [entry, others] of offered) if (!stale.has(entry)) this.#compare(entry, others);
	}

	/** Returns the ids of the articles related to one: the chosen ones, then the best. */
	of(id: string): string[] {
		const { article, best } = this.#entries.get(id)!;
		return [...article.chosen, ...best.map(({ entry }) => entry.article.id)].slice(0, this.#limit);
	}

	/** Returns whether an article is now one of the newest of its category. */
	#isNew({ article, age }: Entry): boolean {
		return age <= this.#newest.get(article.categoryId)!.forThemselves.at(-1)!.age;
	}

	/** Finds the best among all. */
	#find(entry: Entry, search: Search): void {
		const { forThemselves, forOthers } = this.#newest.get(entry.article.categoryId)!;
		entry.isNew = this.#isNew(entry);
		entry.best = search.bestOf(entry, entry.isNew ? forThemselves : forOthers);
	}

	/** Compares others with the best so far. */
	#compare({ article, best }: Entry, others: readonly Entry[]): void {
		for (const other of others) {
			const { id, categoryId } = other.article;
			if (id === article.id || article.chosen.includes(id)) continue;
			if (best.some(({ entry }) => entry === other)) continue;
			const shared = sharedTags(article, other.article);
			const fitAt = (steps: number) => fitOf(shared, article.categoryId === categoryId, steps);
			const isBetter = (fit: number, than: Entry['best'][number]) =>
				fit > than.fit || (fit === than.fit && other.age < than.entry.age);
			const worst = best[this.#limit - 1];
			if (worst && !isBetter(fitAt(NEARNESS_STEPS), worst)) continue;
			const fit = fitAt(stepsBetween(article, other.article));
			const at = best.findIndex((one) => isBetter(fit, one));
			best.splice(at < 0 ? best.length : at, 0, { entry: other, fit });
			best.splice(this.#limit);
		}
	}
}

function isSame(one: Relatable, other: Relatable): boolean {
	return (
		one === other ||
		(one.publishedAt === other.publishedAt &&
			one.categoryId === other.categoryId &&
			one.meaning === other.meaning &&
			isSameList(one.tagIds, other.tagIds) &&
			isSameList(one.chosen, other.chosen))
	);
}

function difference(before: Entry[], after: Entry[]) {
	const [old, now] = [new Set(before), new Set(after)];
	return {
		left: old.difference(now),
		come: after.filter((entry) => !old.has(entry)),
	};
}

const sharedTags = (one: Relatable, other: Relatable) =>
	one.tagIds.filter((id) => other.tagIds.includes(id)).length;

/** Returns how near two articles are in meaning, in steps; 0 where that is not known. */
const stepsBetween = (one: Relatable, other: Relatable) =>
	one.meaning && other.meaning
		? Math.max(0, Math.round(NEARNESS_STEPS * nearness(one.meaning, other.meaning)))
		: 0;

/** Articles by what they may share, newest first: with a tag their ages, because a search looks at millions of them. */
type Lists = { byTag: Map<string, number[]>; byCategory: Map<string, Entry[]> };

function listsOf(entries: Entry[]): Lists {
	const byTag = new Map<string, number[]>();
	for (const { article, age } of entries) {
		for (const id of article.tagIds) addToList(byTag, id, age);
	}
	return { byTag, byCategory: Map.groupBy(entries, ({ article }) => article.categoryId) };
}

/** Looks for the best among all articles. */
class Search {
	readonly #entries: Entry[];
	readonly #lists: Lists;
	readonly #limit: number;
	/** How many tags each article shares with the one that is looked at, by age. */
	readonly #shared: Uint8Array;

	constructor(entries: Entry[], lists: Lists, limit: number) {
		this.#entries = entries;
		this.#lists = lists;
		this.#limit = limit;
		this.#shared = new Uint8Array(entries.length);
	}

	/** Returns the best for one, which share a tag with it or are among the newest of its category. */
	bestOf({ article, age: self }: Entry, newest: readonly Entry[]): Entry['best'] {
		const shared = this.#shared.fill(0);
		const chosen = new Set(article.chosen);
		const lists = article.tagIds.map((id) => this.#lists.byTag.get(id)!);
		/** How many articles share at least so many tags; itself shares all. */
		const sharing = new Array<number>(lists.length + 1).fill(0);
		const ofSeveral: number[] = [];
		for (const ages of lists) {
			for (const age of ages) {
				const count = ++shared[age]!;
				sharing[count]!++;
				if (count === 2) ofSeveral.push(age);
			}
		}
		// Those that share fewer tags than the best do need no look.
		const wanted = this.#limit + chosen.size + 1;
		const least = Math.max(
			1,
			sharing.findLastIndex((count) => count >= wanted),
		);
		const found = relatedPosts(this.#entries.length, this.#limit);
		const offer = (age: number) => {
			const other = this.#entries[age]!.article;
			if (age === self || chosen.has(other.id)) return;
			found.offer(age, shared[age]!, article.categoryId === other.categoryId, () =>
				stepsBetween(article, other),
			);
		};
		for (const ages of least > 1 ? [ofSeveral] : lists) {
			for (const age of ages) if (shared[age]! >= least) offer(age);
		}
		for (const { age } of newest) offer(age);
		const fits = found.fits();
		return found.best().map((age, at) => ({ entry: this.#entries[age]!, fit: fits[at]! }));
	}
}
