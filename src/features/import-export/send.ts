import { AppError, messageOf } from '#src/lib/errors.ts';
import type { ImportRow } from '#src/features/newsletter/subscribers.ts';
import { MAX_IMAGE_BYTES, mediaPath } from '#src/features/media/media.ts';
import { escapeHtml } from '#src/lib/text.ts';
import type { ImportRun } from '#src/core/imports/run.ts';
import { paths } from '#src/site.ts';
import type { Bundle, ImportResponse, ImportInput, PageResult, PostResult } from './bundle.ts';

/** How a bundle's parts are stored: by calls of the API in the browser. */
export type Sender = {
	part(input: ImportInput): Promise<ImportResponse>;
	subscribers(
		rows: ImportRow[],
		preview: boolean,
		importId: string,
	): Promise<{ added: number; completed: number }>;
};

export type Choices = {
	run: ImportRun;
	preview: boolean;
	asDrafts: boolean;
	categoryId: string;
	/** Ends it between two parts. */
	signal?: AbortSignal;
};

/** The result, or expected result, of importing a bundle. */
export type Report = {
	/** Names of the categories that are new. */
	categories: Set<string>;
	posts: PostResult[];
	pages: PageResult[];
	/** Numbers of those that are new or got something that was missing. */
	subscribers: { added: number; completed: number };
	/** Images that were refused, by their ids, with the reason. */
	refused: Map<string, string>;
};

/** Characters of posts, and numbers of other things, that one call carries. */
const POSTS_CHARACTERS = 400_000;
const POSTS = 50;
const COMMENTS = 200;
const SUBSCRIBERS = 1000;

/**
 * Sends a bundle part by part: images first, whose addresses posts name, then posts, then the comments of those that
 * were added, then subscribers. With `preview` nothing is stored. What is sent again with the same run is stored once.
 */
export async function sendBundle(
	bundle: Bundle,
	{ run, preview, asDrafts, categoryId, signal }: Choices,
	sender: Sender,
	onProgress: (done: number, total: number) => void,
): Promise<Report> {
	const subscribers = { added: 0, completed: 0 };
	const report: Report = {
		...{ categories: new Set(), posts: [], pages: [] },
		...{ subscribers, refused: new Map() },
	};
	const total =
		bundle.posts.length +
		bundle.pages.length +
		(preview ? 0 : bundle.media.length + bundle.comments.length) +
		bundle.subscribers.length;
	let done = 0;
	const advance = (count: number) => onProgress((done += count), total);
	const send = (part: Partial<ImportInput>) => {
		signal?.throwIfAborted();
		return sender.part({
			run,
			preview,
			asDrafts,
			categoryId,
			categories: [],
			posts: [],
			pages: [],
			taken: [],
			comments: [],
			...part,
		});
	};

	/** Posts whose links to each other name the addresses that they get here: another post may have those of their own. */
	async function withLinks(): Promise<Bundle['posts']> {
		if (bundle.linked.size === 0) return bundle.posts;
		const slugs = new Map<string, string>();
		for (const part of partsOf(
			bundle.posts.map((post) => ({ ...post, content: '', draft: null })),
		)) {
			const planned = { preview: true, posts: part, taken: [...slugs.values()] };
			for (const { key, slug } of (await send(planned)).posts) slugs.set(key, slug);
		}
		const moves = [...bundle.linked].flatMap(([from, key]): [string, string][] => {
			const to = paths.post(slugs.get(key) ?? '');
			return slugs.has(key) && to !== from ? [[from, to]] : [];
		});
		if (moves.length === 0) return bundle.posts;
		const targets = new Map(moves);
		return bundle.posts.map((post) => ({
			...post,
			content: post.content.replace(
				/(<a\b[^>]*?\shref=")(\/blog\/[^"#]*)/g,
				(_, before: string, href: string) => before + (targets.get(href) ?? href),
			),
		}));
	}

	const moved = new Map<string, string>();
	for (const { bytes, ...image } of bundle.media) {
		if (bytes.length > MAX_IMAGE_BYTES) {
			report.refused.set(image.id, 'Larger than the 4 MB that an image may have');
		} else if (!preview) {
			try {
				const { mediaId } = await send({ media: { ...image, data: base64(bytes) } });
				if (mediaId && mediaId !== image.id) moved.set(image.id, mediaId);
			} catch (error) {
				if (!(error instanceof AppError) || error.code !== 'validation') throw error;
				report.refused.set(image.id, messageOf(error));
			}
			advance(1);
		}
	}

	const linked = preview ? bundle.posts : await withLinks();
	const { posts, pages } = withImages({ ...bundle, posts: linked }, moved, report.refused);
	// Also where there is no post, for the categories' own sake.
	for (const part of posts.length > 0 ? partsOf(posts) : [[]]) {
		const taken = report.posts.filter(isAdded).map(({ slug }) => slug);
		const answer = await send({
			posts: part,
			categories: bundle.categories,
			taken: preview ? taken : [],
		});
		for (const name of answer.categories) report.categories.add(name);
		report.posts.push(...answer.posts);
		advance(part.length);
	}

	for (const part of partsOf(pages).filter(({ length }) => length > 0)) {
		report.pages.push(...(await send({ pages: part })).pages);
		advance(part.length);
	}

	const added = new Map(report.posts.filter(isAdded).map(({ key, id }) => [key, id ?? key]));
	const comments = bundle.comments
		.filter(({ post }) => added.has(post))
		.map((comment) => ({ ...comment, post: added.get(comment.post)! }));
	// Replies come in parts of their own, after what they answer.
	const { replies = [], others = [] } = Object.groupBy(comments, ({ parentId }) =>
		parentId ? 'replies' : 'others',
	);
	for (const part of preview ? [] : [others, replies].flatMap((some) => chunks(some, COMMENTS))) {
		await send({ comments: part });
		advance(part.length);
	}

	for (const part of chunks(bundle.subscribers, SUBSCRIBERS)) {
		signal?.throwIfAborted();
		const answer = await sender.subscribers(part, preview, run.id);
		subscribers.added += answer.added;
		subscribers.completed += answer.completed;
		advance(part.length);
	}
	return report;
}

export const isAdded = ({ outcome }: PageResult) => outcome === 'added';

function partsOf<Post extends { content: string }>(posts: Post[]): Post[][] {
	const parts: Post[][] = [[]];
	let size = 0;
	for (const post of posts) {
		const last = parts.at(-1)!;
		size += post.content.length;
		if (last.length > 0 && (last.length >= POSTS || size > POSTS_CHARACTERS)) {
			parts.push([post]);
			size = post.content.length;
		} else last.push(post);
	}
	return parts;
}

function chunks<Item>(items: Item[], size: number): Item[][] {
	return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
		items.slice(index * size, (index + 1) * size),
	);
}

/** Posts and pages that name images by the ids that these have here, and in place of a refused one say what it is called. */
function withImages(
	{ posts, pages, media }: Bundle,
	moved: ReadonlyMap<string, string>,
	refused: ReadonlyMap<string, string>,
): Pick<Bundle, 'posts' | 'pages'> {
	if (moved.size + refused.size === 0) return { posts, pages };
	const names = new Map(media.map(({ id, name }) => [id, name]));
	const moveAll = (text: string) =>
		text.replace(ADDRESSES, (address, id: string) =>
			moved.has(id) ? mediaPath(moved.get(id)!) : address,
		);
	const article = (html: string) =>
		moveAll(
			html.replace(IMAGES, (image, id: string) =>
				refused.has(id) ? `<em>${escapeHtml(names.get(id) ?? '')}</em>` : image,
			),
		);
	const featured = (address: string) =>
		refused.has(address.slice(mediaPath('').length)) ? '' : moveAll(address);
	return {
		pages: pages.map((page) => ({ ...page, content: article(page.content) })),
		posts: posts.map((post) => ({
			...post,
			content: article(post.content),
			featuredImage: featured(post.featuredImage),
			draft: post.draft && {
				...post.draft,
				content: article(post.draft.content),
				featuredImage: featured(post.draft.featuredImage),
			},
		})),
	};
}
const ADDRESSES = /\/api\/media\/([\w-]+)/g;
/** As `writeArticle` writes them. */
const IMAGES = /<img (?:[\w-]+="[^"]*" )*?src="\/api\/media\/([\w-]+)"(?: [\w-]+="[^"]*")*>/g;

function base64(bytes: Uint8Array): string {
	let binary = '';
	for (let start = 0; start < bytes.length; start += 0x8000) {
		binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
	}
	return btoa(binary);
}
