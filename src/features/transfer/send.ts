import type { Bundle, ImportAnswer, ImportInput, PostResult } from './transfer.ts';
import type { ImportRow } from '#src/features/newsletter/subscribers.ts';

/** How a bundle's parts are stored: by calls of the API in the browser. */
export type Sender = {
	part(input: ImportInput): Promise<ImportAnswer>;
	subscribers(rows: ImportRow[], preview: boolean): Promise<{ added: number }>;
};

export type Choices = { preview: boolean; asDrafts: boolean; categoryId: string };

export type Report = {
	categories: number;
	posts: PostResult[];
	comments: number;
	subscribers: number;
	media: number;
};

/** Characters of posts, and numbers of other things, that one call carries. */
const POSTS_CHARACTERS = 400_000;
const POSTS = 50;
const COMMENTS = 200;
const SUBSCRIBERS = 1000;

/**
 * Sends a bundle part by part: images first, whose addresses posts name, then posts, then the comments of those that
 * were added, then subscribers. With `preview` nothing is stored.
 */
export async function sendBundle(
	bundle: Bundle,
	{ preview, asDrafts, categoryId }: Choices,
	sender: Sender,
	onProgress: (done: number, total: number) => void,
): Promise<Report> {
	const report: Report = { categories: 0, posts: [], comments: 0, subscribers: 0, media: 0 };
	const total =
		bundle.posts.length +
		(preview ? 0 : bundle.media.length + bundle.comments.length) +
		bundle.subscribers.length;
	let done = 0;
	const tell = (count: number) => onProgress((done += count), total);
	const send = (part: Partial<ImportInput>) =>
		sender.part({
			preview,
			asDrafts,
			categoryId,
			categories: [],
			posts: [],
			comments: [],
			...part,
		});

	const moved = new Map<string, string>();
	for (const { bytes, ...image } of preview ? [] : bundle.media) {
		const { mediaId } = await send({ media: { ...image, data: base64(bytes) } });
		if (mediaId && mediaId !== image.id) moved.set(image.id, mediaId);
		tell(1);
	}
	report.media = bundle.media.length;

	const posts = moved.size > 0 ? withMoved(bundle.posts, moved) : bundle.posts;
	// Also where there is no post, for the categories' own sake.
	for (const part of posts.length > 0 ? partsOf(posts) : [[]]) {
		const answer = await send({ posts: part, categories: bundle.categories });
		report.categories = Math.max(report.categories, answer.categories);
		report.posts.push(...answer.posts);
		tell(part.length);
	}

	const added = new Map(
		report.posts
			.filter(({ outcome }) => outcome === 'added')
			.map(({ key, id }) => [key, id ?? key]),
	);
	const comments = bundle.comments
		.filter(({ post }) => added.has(post))
		.map((comment) => ({ ...comment, post: added.get(comment.post)! }));
	if (preview) report.comments = comments.length;
	for (const part of preview ? [] : chunks(comments, COMMENTS)) {
		report.comments += (await send({ comments: part })).comments;
		tell(part.length);
	}

	for (const part of chunks(bundle.subscribers, SUBSCRIBERS)) {
		report.subscribers += (await sender.subscribers(part, preview)).added;
		tell(part.length);
	}
	return report;
}

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

/** Posts that name images by the ids that these have here. */
function withMoved(posts: Bundle['posts'], moved: ReadonlyMap<string, string>): Bundle['posts'] {
	const text = JSON.stringify(posts).replace(/\/api\/media\/([\w-]+)/g, (address, id: string) =>
		moved.has(id) ? `/api/media/${moved.get(id)!}` : address,
	);
	return JSON.parse(text) as Bundle['posts'];
}

function base64(bytes: Uint8Array): string {
	let binary = '';
	for (let start = 0; start < bytes.length; start += 0x8000) {
		binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
	}
	return btoa(binary);
}
