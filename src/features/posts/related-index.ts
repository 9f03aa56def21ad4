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

type Entry<Item extends Relatable> = {
	article: Item;
	/** Position among all, newest first. */
	age: number;
	/** The best, best first, without those that were chosen. */
	best: { entry: Entry<Item>; fit: number }[];
	/** Whether it is one of the newest of its category, which are compared with one more. */
	isNew: boolean;
	/** True once its article was changed or removed: another entry may have its place. */
	isGone: boolean;
};

/** The newest of a category: those that the others are compared with, and one more for each of them. */
type Newest<Item extends Relatable> = { forOthers: Entry<Item>[]; forThemselves: Entry<Item>[] };

/** Above this share of changed articles, finding everything anew is quicker. */
const MOST_CHANGED = 0.1;

/**
 * Finds related articles, and after a change only what that can move: a changed article is looked at by those that had it and
 * by those that share a tag or the category with it; everybody else keeps what they have.
 */
export class RelatedIndex<Item extends Relatable = Relatable> {
	readonly #limit: number;
	readonly #entries = new Map<string, Entry<Item>>();
	/** The same, newest first. */
	#list: Entry<Item>[] = [];
	#newest = new Map<string, Newest<Item>>();

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Takes all articles, newest first. */
	update(articles: readonly Item[]): void {
		const changed = this.#take(articles);
		const list = this.#list;
		const beforeNewest = this.#newest;
		this.#newest = newestOf(list);
		if (changed.size > MOST_CHANGED * list.length) {
			const search = new Search(list, agesByTag(list), this.#limit);
			for (const entry of list) this.#find(entry, search);
			return;
		}
		/** By category: those that the newest no longer are, and those that they now are. */
		const moves = new Map(
			[...this.#newest].map(([id, newest]) => {
				const old = beforeNewest.get(id);
				return [
					id,
					{
						since: newest.forThemselves.at(-1)!.age,
						forOthers: difference(old?.forOthers ?? [], newest.forOthers),
						forThemselves: difference(old?.forThemselves ?? [], newest.forThemselves),
					},
				];
			}),
		);
		const stale = new Set(changed);
		const offered = new Map<Entry<Item>, Entry<Item>[]>();
		for (const entry of list) {
			const { since, ...by } = moves.get(entry.article.categoryId)!;
			const isNew = entry.age <= since;
			const { left, come } = by[isNew ? 'forThemselves' : 'forOthers'];
			const isStale =
				isNew !== entry.isNew ||
				entry.best.some(({ entry: other }) => other.isGone || (left.size > 0 && left.has(other)));
			if (isStale) stale.add(entry);
			else for (const other of come) addToList(offered, entry, other);
		}
		const tags = new Set<string>();
		for (const { article } of stale) for (const id of article.tagIds) tags.add(id);
		const byTag = agesByTag(list, tags);
		for (const entry of changed) {
			for (const id of entry.article.tagIds) {
				for (const age of byTag.get(id)!) addToList(offered, list[age]!, entry);
			}
		}
		const search = new Search(list, byTag, this.#limit);
		for (const entry of stale) this.#find(entry, search);
		for (const [entry, others] of offered) if (!stale.has(entry)) this.#compare(entry, others);
	}

	/** Returns the articles related to the one at a position, newest first: the chosen ones, then the best. */
	at(position: number): Item[] {
		const { article, best } = this.#list[position]!;
		return [
			...article.chosen.map((id) => this.#entries.get(id)!.article),
			...best.map(({ entry }) => entry.article),
		].slice(0, this.#limit);
	}

	/** Returns whether these are the articles related to the one at a position. */
	isAt(position: number, articles: readonly Item[]): boolean {
		const { article, best } = this.#list[position]!;
		const { chosen } = article;
		if (articles.length !== Math.min(this.#limit, chosen.length + best.length)) return false;
		// Made for all articles at each build: no list is made of them.
		for (let at = 0; at < articles.length; at++) {
			const { article: one } =
				at < chosen.length ? this.#entries.get(chosen[at]!)! : best[at - chosen.length]!.entry;
			if (one !== articles[at]) return false;
		}
		return true;
	}

	/** Takes over what is as it was. Returns the entries of articles that are new or changed. */
	#take(articles: readonly Item[]): Set<Entry<Item>> {
		const before = this.#list;
		const changed = new Set<Entry<Item>>();
		// Most follow each other as before, so that few have to be looked up.
		let at = 0;
		let taken = 0;
		this.#list = articles.map((article, age) => {
			const next = before[at];
			const known = next?.article === article ? next : this.#entries.get(article.id);
			if (known) {
				at = known.age + 1;
				taken++;
				if (isSame(known.article, article)) {
					known.article = article;
					known.age = age;
					return known;
				}
				known.isGone = true;
			}
			const entry: Entry<Item> = { article, age, best: [], isNew: false, isGone: false };
			this.#entries.set(article.id, entry);
			changed.add(entry);
			return entry;
		});
		if (taken < before.length) {
			const left = new Set(this.#list);
			for (const entry of before) {
				if (entry.isGone || left.has(entry)) continue;
				entry.isGone = true;
				this.#entries.delete(entry.article.id);
			}
		}
		return changed;
	}

	/** Finds the best among all. */
	#find(entry: Entry<Item>, search: Search<Item>): void {
		const { forThemselves, forOthers } = this.#newest.get(entry.article.categoryId)!;
		entry.isNew = entry.age <= forThemselves.at(-1)!.age;
		entry.best = search.bestOf(entry, entry.isNew ? forThemselves : forOthers);
	}

	/** Compares others with the best so far. */
	#compare({ article, best }: Entry<Item>, others: readonly Entry<Item>[]): void {
		for (const other of others) {
			const { id, categoryId } = other.article;
			if (id === article.id || article.chosen.includes(id)) continue;
			if (best.some(({ entry }) => entry === other)) continue;
			const shared = sharedTags(article, other.article);
			const fitAt = (steps: number) => fitOf(shared, article.categoryId === categoryId, steps);
			const isBetter = (fit: number, than: Entry<Item>['best'][number]) =>
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

function difference<Item>(before: Item[], after: Item[]) {
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

/** Returns the newest of each category, as many as others are compared with. */
function newestOf<Item extends Relatable>(list: Entry<Item>[]): Map<string, Newest<Item>> {
	const heads = new Map<string, Entry<Item>[]>();
	for (const entry of list) {
		const head = heads.get(entry.article.categoryId);
		if (!head) heads.set(entry.article.categoryId, [entry]);
		else if (head.length <= MAX_OF_CATEGORY) head.push(entry);
	}
	return new Map(
		[...heads].map(([id, head]) => [
			id,
			{ forOthers: head.slice(0, MAX_OF_CATEGORY), forThemselves: head },
		]),
	);
}

/** Returns the ages of the articles with each of these tags, or with each tag: a search looks at millions of them. */
function agesByTag<Item extends Relatable>(
	list: Entry<Item>[],
	tags?: ReadonlySet<string>,
): Map<string, number[]> {
	const byTag = new Map<string, number[]>();
	for (const { article, age } of list) {
		for (const id of article.tagIds) if (!tags || tags.has(id)) addToList(byTag, id, age);
	}
	return byTag;
}

/** Looks for the best among all articles. */
class Search<Item extends Relatable> {
	readonly #entries: Entry<Item>[];
	readonly #byTag: ReadonlyMap<string, number[]>;
	readonly #limit: number;
	/** How many tags each article shares with the one that is looked at, by age. */
	readonly #shared: Uint8Array;

	constructor(entries: Entry<Item>[], byTag: ReadonlyMap<string, number[]>, limit: number) {
		this.#entries = entries;
		this.#byTag = byTag;
		this.#limit = limit;
		this.#shared = new Uint8Array(entries.length);
	}

	/** Returns the best for one, which share a tag with it or are among the newest of its category. */
	bestOf({ article, age: self }: Entry<Item>, newest: readonly Entry<Item>[]): Entry<Item>['best'] {
		const shared = this.#shared.fill(0);
		const chosen = new Set(article.chosen);
		const lists = article.tagIds.map((id) => this.#byTag.get(id)!);
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
