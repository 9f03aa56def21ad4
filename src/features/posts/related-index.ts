import { cosineSimilarity } from '#src/core/meaning/meaning.ts';
import { addToList, changedRange, isSameList, replaceRange } from '#src/lib/lists.ts';
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
	/** Those that have it among their best. */
	users: Set<Entry<Item>>;
	/** Whether it is one of the newest of its category, which are compared with one more. */
	isNew: boolean;
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
	/** Newest first, as the articles. */
	#list: Entry<Item>[] = [];
	#articles: readonly Item[] = [];
	readonly #byTag = new Map<string, Set<Entry<Item>>>();
	/** Those that put an article first, by its id. */
	readonly #choosing = new Map<string, Set<Entry<Item>>>();
	#newest = new Map<string, Newest<Item>>();

	constructor(limit: number) {
		this.#limit = limit;
	}

	/**
	 * Takes all articles, newest first. Returns the positions of those whose related articles may be others than before, or other
	 * objects.
	 */
	update(articles: readonly Item[]): Set<number> {
		const { made, renewed, gone } = this.#take(articles);
		const list = this.#list;
		if (made.size > MOST_CHANGED * list.length) {
			this.#newest = newestOf(list);
			const search = new Search(list, this.#agesByTag(this.#byTag.keys()), this.#limit);
			for (const entry of list) this.#find(entry, search);
			return new Set(list.keys());
		}
		const stale = new Set(made);
		const addUsers = ({ users }: Entry<Item>, to: Set<Entry<Item>>) => {
			for (const user of users) if (!gone.has(user)) to.add(user);
		};
		for (const entry of gone) addUsers(entry, stale);
		const offered = this.#moveNewest(new Set([...made, ...gone].map(categoryOf)), gone, stale);
		for (const entry of made) {
			for (const id of entry.article.tagIds) {
				for (const other of this.#byTag.get(id)!)
					if (!stale.has(other)) addToList(offered, other, entry);
			}
		}
		const tags = new Set([...stale].flatMap(({ article }) => article.tagIds));
		const search = new Search(list, this.#agesByTag(tags), this.#limit);
		const touched = new Set(stale);
		for (const entry of renewed) addUsers(entry, touched);
		for (const { article } of [...made, ...renewed, ...gone])
			for (const entry of this.#choosing.get(article.id) ?? []) touched.add(entry);
		for (const entry of stale) this.#find(entry, search);
		for (const [entry, others] of offered) if (this.#compare(entry, others)) touched.add(entry);
		return new Set([...touched].map(({ age }) => age));
	}

	/** Returns the articles related to the one at a position, newest first: the chosen ones, then the best. */
	at(position: number): Item[] {
		const { article, best } = this.#list[position]!;
		return [
			...article.chosen.map((id) => this.#entries.get(id)!.article),
			...best.map(({ entry }) => entry.article),
		].slice(0, this.#limit);
	}

	/**
	 * Takes over what is as it was. Returns the entries that were made of new or changed articles, those whose article is another
	 * object only, and those that went.
	 */
	#take(articles: readonly Item[]) {
		const before = this.#list;
		const { start, end } = changedRange(this.#articles, articles);
		const rest = articles.length - end;
		const gone = new Set(before.slice(start, before.length - rest));
		const made = new Set<Entry<Item>>();
		const renewed = new Set<Entry<Item>>();
		const some = articles.slice(start, end).map((article, at) => {
			const age = start + at;
			const known = this.#entries.get(article.id);
			if (known && isSame(known.article, article)) {
				if (known.article !== article) renewed.add(known);
				gone.delete(known);
				return Object.assign(known, { article, age });
			}
			const entry: Entry<Item> = { article, age, best: [], users: new Set(), isNew: false };
			made.add(entry);
			return entry;
		});
		this.#list = replaceRange(before, start, some, rest);
		if (this.#list.length !== before.length)
			for (let age = end; age < this.#list.length; age++) this.#list[age]!.age = age;
		this.#articles = articles;
		for (const entry of gone) {
			const { id, tagIds, chosen } = entry.article;
			this.#entries.delete(id);
			for (const { entry: other } of entry.best) other.users.delete(entry);
			for (const tag of tagIds) this.#byTag.get(tag)!.delete(entry);
			for (const other of chosen) this.#choosing.get(other)!.delete(entry);
		}
		for (const entry of made) {
			const { id, tagIds, chosen } = entry.article;
			this.#entries.set(id, entry);
			for (const tag of tagIds) addToSet(this.#byTag, tag, entry);
			for (const other of chosen) addToSet(this.#choosing, other, entry);
		}
		return { made, renewed, gone };
	}

	/**
	 * Finds the newest of these categories. Adds those to the `stale` ones that lose something by it. Returns what the others are to
	 * be compared with.
	 */
	#moveNewest(
		categories: ReadonlySet<string>,
		gone: ReadonlySet<Entry<Item>>,
		stale: Set<Entry<Item>>,
	): Map<Entry<Item>, Entry<Item>[]> {
		const newest = newestOf(this.#list, categories);
		const coming = new Map<string, Newest<Item>>();
		for (const id of categories) {
			const old = this.#newest.get(id) ?? NONE;
			const now = newest.get(id) ?? NONE;
			if (now === NONE) this.#newest.delete(id);
			else this.#newest.set(id, now);
			const forOthers = difference(old.forOthers, now.forOthers);
			const forThemselves = difference(old.forThemselves, now.forThemselves);
			for (const { left, isNew } of [
				{ ...forOthers, isNew: false },
				{ ...forThemselves, isNew: true },
			])
				for (const { users } of left)
					for (const user of users)
						if (user.isNew === isNew && categoryOf(user) === id && !gone.has(user)) stale.add(user);
			// They are compared with others than before.
			for (const entry of [...forThemselves.left, ...forThemselves.come])
				if (!gone.has(entry)) stale.add(entry);
			if (forOthers.come.length + forThemselves.come.length > 0)
				coming.set(id, { forOthers: forOthers.come, forThemselves: forThemselves.come });
		}
		const offered = new Map<Entry<Item>, Entry<Item>[]>();
		if (coming.size === 0) return offered;
		for (const entry of this.#list) {
			const come = coming.get(categoryOf(entry));
			if (!come || stale.has(entry)) continue;
			const others = entry.isNew ? come.forThemselves : come.forOthers;
			if (others.length > 0) offered.set(entry, [...others]);
		}
		return offered;
	}

	/** Returns the ages of the articles with each of these tags: a search looks at millions of them. */
	#agesByTag(tags: Iterable<string>): Map<string, number[]> {
		return new Map(
			Array.from(tags, (id) => [id, Array.from(this.#byTag.get(id)!, ({ age }) => age)]),
		);
	}

	/** Finds the best among all. */
	#find(entry: Entry<Item>, search: Search<Item>): void {
		const { forThemselves, forOthers } = this.#newest.get(categoryOf(entry))!;
		entry.isNew = entry.age <= forThemselves.at(-1)!.age;
		this.#setBest(entry, search.bestOf(entry, entry.isNew ? forThemselves : forOthers));
	}

	#setBest(entry: Entry<Item>, best: Entry<Item>['best']): void {
		for (const { entry: other } of entry.best) other.users.delete(entry);
		for (const { entry: other } of best) other.users.add(entry);
		entry.best = best;
	}

	/** Compares others with the best so far. Returns whether one is better. */
	#compare(entry: Entry<Item>, others: readonly Entry<Item>[]): boolean {
		const { article } = entry;
		const best = [...entry.best];
		let isBetter = false;
		for (const other of others) {
			const { id, categoryId } = other.article;
			if (id === article.id || article.chosen.includes(id)) continue;
			if (best.some(({ entry: known }) => known === other)) continue;
			const shared = sharedTags(article, other.article);
			const fitAt = (steps: number) => fitOf(shared, article.categoryId === categoryId, steps);
			const beats = (fit: number, than: Entry<Item>['best'][number]) =>
				fit > than.fit || (fit === than.fit && other.age < than.entry.age);
			const worst = best[this.#limit - 1];
			if (worst && !beats(fitAt(NEARNESS_STEPS), worst)) continue;
			const fit = fitAt(stepsBetween(article, other.article));
			const at = best.findIndex((one) => beats(fit, one));
			best.splice(at < 0 ? best.length : at, 0, { entry: other, fit });
			best.splice(this.#limit);
			isBetter ||= best.some(({ entry: known }) => known === other);
		}
		if (isBetter) this.#setBest(entry, best);
		return isBetter;
	}
}

const NONE = { forOthers: [], forThemselves: [] };

const categoryOf = ({ article }: { article: Relatable }) => article.categoryId;

function addToSet<Key, Item>(map: Map<Key, Set<Item>>, key: Key, item: Item): void {
	const set = map.get(key);
	if (set) set.add(item);
	else map.set(key, new Set([item]));
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
		? Math.max(0, Math.round(NEARNESS_STEPS * cosineSimilarity(one.meaning, other.meaning)))
		: 0;

/** Returns the newest of each category, or of these, as many as others are compared with. */
function newestOf<Item extends Relatable>(
	list: Entry<Item>[],
	categories?: ReadonlySet<string>,
): Map<string, Newest<Item>> {
	const heads = new Map<string, Entry<Item>[]>();
	let left = categories?.size;
	for (const entry of list) {
		if (left === 0) break;
		const id = categoryOf(entry);
		if (categories && !categories.has(id)) continue;
		const head = heads.get(id);
		if (!head) heads.set(id, [entry]);
		else if (head.length <= MAX_OF_CATEGORY) head.push(entry);
		if (left !== undefined && head?.length === MAX_OF_CATEGORY + 1) {
			left--;
			categories = categories!.difference(new Set([id]));
		}
	}
	return new Map(
		[...heads].map(([id, head]) => [
			id,
			{ forOthers: head.slice(0, MAX_OF_CATEGORY), forThemselves: head },
		]),
	);
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
