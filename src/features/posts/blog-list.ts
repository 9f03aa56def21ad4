import * as z from 'zod/mini';
import { AppError } from '#src/lib/errors.ts';
import { paths } from '#src/site.ts';

/** A row of `/blog.json` and of the parts behind it: what filtering and sorting the whole blog in the browser needs. */
export const blogRow = z.object({
	slug: z.string(),
	title: z.string(),
	excerpt: z.nullable(z.string()),
	/** Empty where that is the site itself. */
	author: z.string(),
	category: z.string(),
	readTime: z.number(),
	publishedAt: z.nullable(z.string()),
	/** Path of its picture, where it has one. */
	picture: z.optional(z.string()),
	/** Set where that is a figure. */
	figure: z.optional(z.literal(true)),
	/** The plot of its cover, where it has neither. */
	cover: z.optional(z.string()),
	/** Views with a time decay, as of the build; 0 in the parts behind. */
	score: z.number(),
});
export type BlogRow = z.infer<typeof blogRow>;
const blogRows = z.array(blogRow);

/**
 * Number of articles in `/blog.json`, the newest, and in each part behind it. These are cut as pages of lists are, so that an
 * edit changes one of them.
 */
export const PART_SIZE = 1000;

/** Returns the paths of the parts of a blog with so many articles. Counts like `pageCount`, whose file would be one more to load. */
export const partPaths = (total: number) =>
	Array.from({ length: Math.max(1, Math.ceil(total / PART_SIZE)) }, (_, at) =>
		at === 0 ? '/blog.json' : `/blog-${at + 1}.json`,
	);

export async function loadPart(path: string): Promise<BlogRow[]> {
	const response = await fetch(path);
	if (!response.ok) throw new AppError('server', 'The list could not be loaded.');
	return blogRows.parse(await response.json());
}

/** Puts the parts together, newest first. The first one knows more of some articles that are in the others as well. */
export function joinParts([first = [], ...others]: BlogRow[][]): BlogRow[] {
	if (others.length === 0) return first;
	const bySlug = new Map([...others.flat(), ...first].map((row) => [row.slug, row]));
	const timeOf = ({ publishedAt }: BlogRow) =>
		publishedAt === null ? -1 : Date.parse(publishedAt);
	return [...bySlug.values()].sort((a, b) => timeOf(b) - timeOf(a));
}

/** Filters of the blog list, as in its address. */
export type BlogQuery = { category: string; trending: boolean };

/** Reads a query from an address: unknown categories and sorts mean all and newest. */
export function parseBlogQuery(search: string, categories: { slug: string }[]): BlogQuery {
	const params = new URLSearchParams(search);
	const category = params.get('category') ?? '';
	return {
		category: categories.some(({ slug }) => slug === category) ? category : '',
		trending: params.get('sort') === 'trending',
	};
}

export function blogAddress({ category, trending }: BlogQuery): string {
	const params = new URLSearchParams();
	if (category) params.set('category', category);
	if (trending) params.set('sort', 'trending');
	return params.size > 0 ? `${paths.blog()}?${params}` : paths.blog();
}

/** The rows that a query asks for. Rows come newest first, which also settles equal scores. */
export function selectRows(rows: BlogRow[], { category, trending }: BlogQuery): BlogRow[] {
	const chosen = category ? rows.filter((row) => row.category === category) : rows;
	return trending ? chosen.toSorted((a, b) => b.score - a.score) : chosen;
}
