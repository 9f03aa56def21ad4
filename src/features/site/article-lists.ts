import { addToList, compareLists, isSameList } from '#src/lib/lists.ts';
import type { Article } from './site.ts';

/** Above this share of changed articles, making all lists anew is quicker. */
const MOST_CHANGED = 0.02;

/** The slugs of the lists that an article is in, by kind. */
const SLUGS = {
	category: ({ category }: Article) => [category.slug],
	tag: ({ tags }: Article) => tags.map(({ slug }) => slug),
	author: ({ byline }: Article) => (byline ? [byline.slug] : []),
};
type Kind = keyof typeof SLUGS;
type Lists = ReadonlyMap<string, readonly Article[]>;

/**
 * The articles of each category, tag and author, newest first. After a change only the lists of what changed are looked at; those
 * that stay the same are the same objects.
 */
export class ArticleLists {
	#articles: readonly Article[] = [];
	#lists: Record<Kind, Lists> = { category: new Map(), tag: new Map(), author: new Map() };

	/** Takes all articles, newest first. */
	update(articles: readonly Article[]): Record<Kind, Lists> {
		const changes = compareLists(this.#articles, articles);
		const count = changes.added.length + changes.gone.length;
		const isFew = count <= MOST_CHANGED * articles.length;
		const make = (kind: Kind) =>
			isFew
				? patched(this.#lists[kind], changes, SLUGS[kind])
				: grouped(this.#lists[kind], articles, SLUGS[kind]);
		if (count > 0)
			this.#lists = { category: make('category'), tag: make('tag'), author: make('author') };
		this.#articles = articles;
		return this.#lists;
	}
}

type SlugsOf = (article: Article) => string[];

/** Returns the lists of all articles, and of those that are as before the same objects. */
function grouped(before: Lists, articles: readonly Article[], slugsOf: SlugsOf): Lists {
	const lists = new Map<string, Article[]>();
	for (const article of articles)
		for (const slug of slugsOf(article)) addToList(lists, slug, article);
	return inOrder(
		[...lists].map(([slug, list]) => {
			const last = before.get(slug);
			return [slug, last && isSameList(last, list) ? last : list];
		}),
	);
}

/** Returns the lists with what came and without what went. */
function patched(
	before: Lists,
	{ added, gone }: { added: Article[]; gone: Article[] },
	slugsOf: SlugsOf,
): Lists {
	const lists = new Map<string, Article[]>();
	const listOf = (slug: string) => {
		const list = lists.get(slug) ?? [...(before.get(slug) ?? [])];
		lists.set(slug, list);
		return list;
	};
	for (const article of gone)
		for (const slug of slugsOf(article)) {
			const list = listOf(slug);
			list.splice(list.indexOf(article), 1);
		}
	for (const article of added)
		for (const slug of slugsOf(article)) {
			const list = listOf(slug);
			list.splice(placeOf(article, list), 0, article);
		}
	const made = new Map([...before, ...lists]);
	return inOrder([...made].filter(([, list]) => list.length > 0));
}

/** Returns where an article belongs in a list, newest first. */
function placeOf(article: Article, list: readonly Article[]): number {
	let [from, to] = [0, list.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if (isNewer(list[middle]!, article)) from = middle + 1;
		else to = middle;
	}
	return from;
}

/** Returns whether an article comes before another one; the id breaks ties, as in `newestFirst`. */
export function isNewer({ post: one }: Article, { post: other }: Article): boolean {
	if (one.publishedAt === other.publishedAt) return one.id > other.id;
	return (one.publishedAt ?? '') > (other.publishedAt ?? '');
}

/** Returns lists by slug, in an order that says nothing of when they were made. */
const inOrder = (lists: [slug: string, list: readonly Article[]][]): Lists =>
	new Map(lists.sort(([one], [other]) => (one < other ? -1 : 1)));
