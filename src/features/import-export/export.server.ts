import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { and, asc, eq, getTableColumns, gt, isNull } from 'drizzle-orm';
import { stringify } from 'yaml';
import type { Db } from '#db/client.ts';
import { categories, comments, drafts, media, posts, redirects, subscribers } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { listRowProblems } from '#src/core/builds/problems.server.ts';
import { checkRows, isReadable } from '#src/core/builds/rows.server.ts';
import { problemOf } from '#src/core/articles/sanitize.ts';
import { shownColor } from '#src/features/categories/categories.server.ts';
import {
	exportSubscribers,
	labelsOf,
	topicSlugs,
} from '#src/features/newsletter/subscribers.server.ts';
import { readForm } from '#src/features/posts/editing.ts';
import { FLAGS, record, TEXTS } from '#src/features/posts/fields.ts';
import { postColumns } from '#src/features/posts/posts.server.ts';
import { CSV_MARK, csvRow } from '#src/lib/csv.ts';
import { mediaPath } from '#src/features/media/media.ts';
import { site } from '#src/site.ts';
import { htmlToMarkdown } from '#src/core/articles/html-to-markdown.ts';
import { ARCHIVE_VERSION, MANIFEST } from './read-export.ts';
import { OTHER_TEXTS, type ImportedPost } from './bundle.ts';

/** Rows read in one go. */
const CHUNK = 200;

/**
 * A zip archive of all that the site holds, made while it is read: `data/*.json` for machines, which an import turns
 * into the same site, `posts/*.md` for people, `csv/*.csv` for spreadsheets, and the images. Deleted posts are left out, and
 * rows that cannot be read; `report.txt` names those, and articles that could not be made Markdown.
 */
export async function* exportAll(db: Db, now: Date): AsyncGenerator<Uint8Array> {
	const made: Uint8Array[] = [];
	const zip = new Zip((error, chunk) => {
		if (error) throw error;
		made.push(chunk);
	});
	/** Adds a text that is made in parts, and gives on what is packed so far. */
	async function* add(name: string, parts: AsyncIterable<string> | Iterable<string>) {
		const file = new ZipDeflate(name, { level: 6 });
		file.mtime = now;
		zip.add(file);
		for await (const part of parts) {
			file.push(strToU8(part));
			yield* made.splice(0);
		}
		file.push(new Uint8Array(0), true);
		yield* made.splice(0);
	}

	// A row may have been damaged since the last build.
	await checkRows(db, now);
	const manifest = { version: ARCHIVE_VERSION, site: site.name, exportedAt: now.toISOString() };
	yield* add(MANIFEST, [JSON.stringify(manifest, null, '\t')]);
	yield* add('data/categories.json', jsonList(listCategories(db)));
	yield* add('data/posts.json', jsonList(listPosts(db)));
	yield* add('data/comments.json', jsonList(listComments(db)));
	yield* add('data/subscribers.json', jsonList(listSubscribers(db)));
	yield* add('data/media.json', jsonList(listMedia(db)));
	yield* add('csv/posts.csv', postsCsv(db));
	yield* add('csv/comments.csv', commentsCsv(db));
	yield* add('csv/subscribers.csv', exportSubscribers(db, { q: '' }, now));
	const report = (await listRowProblems(db)).map(
		(reason) => `${reason} It is not in this archive.`,
	);
	const categoryNames = new Map<string, string>();
	for await (const { slug, name } of listCategories(db)) categoryNames.set(slug, name);
	const files = new Map<string, string>();
	for await (const { id, file } of listMedia(db)) files.set(mediaPath(id), `../${file}`);
	for await (const post of listPosts(db)) {
		const text = markdownOf({ ...post, category: categoryNames.get(post.category) ?? '' }, report);
		// Other programs find pictures beside the texts.
		const moved = text.replaceAll(MEDIA, (address) => files.get(address) ?? address);
		yield* add(`posts/${post.slug}.md`, [moved]);
	}
	for await (const { id, file: name } of listMedia(db)) {
		const [row] = await db.select({ bytes: media.bytes }).from(media).where(eq(media.id, id));
		if (!row) continue;
		// Images are packed already.
		const file = new ZipPassThrough(name);
		file.mtime = now;
		zip.add(file);
		file.push(new Uint8Array(row.bytes), true);
		yield* made.splice(0);
	}
	if (report.length > 0) yield* add('report.txt', [`${report.join('\n')}\n`]);
	zip.end();
	yield* made.splice(0);
}

/** Addresses of pictures. */
const MEDIA = /\/api\/media\/[\w-]+/g;

/** A post as a file that people can read and edit, and that other programs understand. Tells `report` where it is HTML. */
function markdownOf(post: ImportedPost, report: string[]): string {
	const front = {
		title: post.title,
		slug: post.slug,
		excerpt: post.excerpt || undefined,
		category: post.category || undefined,
		tags: post.tags,
		author: post.author,
		draft: post.published ? undefined : true,
		featured: post.featured || undefined,
		publishedAt: post.publishedAt ?? undefined,
		createdAt: post.createdAt ?? undefined,
		updatedAt: post.updatedAt ?? undefined,
		...Object.fromEntries(OTHER_TEXTS.map(({ name, file }) => [file, post[name] || undefined])),
		readTime: post.readTime,
	};
	return `---\n${stringify(front, { lineWidth: 0 })}---\n\n${textOf(post, report)}`;
}

function textOf({ title, slug, content }: ImportedPost, report: string[]): string {
	try {
		return htmlToMarkdown(content);
	} catch (error) {
		report.push(`“${title}” is HTML in posts/${slug}.md: ${problemOf(error)}`);
		return content;
	}
}

async function* listPosts(db: Db): AsyncGenerator<ImportedPost> {
	for (let last = ''; ;) {
		const rows = await db
			.select({
				...postColumns,
				draft: { ...getTableColumns(drafts), ...tolerant({ form: drafts.form }) },
			})
			.from(posts)
			.innerJoin(categories, eq(categories.id, posts.categoryId))
			.leftJoin(drafts, eq(drafts.postId, posts.id))
			.where(and(gt(posts.id, last), isNull(posts.deletedAt), isReadable('post row', posts.id)))
			.orderBy(asc(posts.id))
			.limit(CHUNK);
		for (const { post, category, tags, draft } of rows) {
			const left = await db
				.select({ slug: redirects.slug })
				.from(redirects)
				.where(and(eq(redirects.postId, post.id), isReadable('redirect row', redirects.slug)))
				.orderBy(asc(redirects.slug));
			yield {
				key: post.id,
				id: post.id,
				...record(TEXTS, (name) => post[name] ?? ''),
				category: category.slug,
				tags: (JSON.parse(tags) as { name: string }[]).map(({ name }) => name),
				...record(FLAGS, (name) => post[name]),
				readTime: post.readTime,
				publishedAt: post.publishedAt?.toISOString() ?? null,
				createdAt: post.createdAt.toISOString(),
				updatedAt: post.updatedAt.toISOString(),
				draft: draft && readForm(draft.form),
				redirects: left.map(({ slug }) => slug),
			};
		}
		if (rows.length < CHUNK) return;
		last = rows.at(-1)!.post.id;
	}
}

async function* listCategories(db: Db) {
	const rows = await db
		.select({ ...getTableColumns(categories), color: shownColor })
		.from(categories)
		.where(isReadable('category row', categories.id))
		.orderBy(asc(categories.slug));
	for (const row of rows) {
		const { name, slug, description, color, position } = row;
		yield { name, slug, description, color, position };
	}
}

async function* listComments(db: Db) {
	for (let last = ''; ;) {
		const rows = await db
			.select({ comment: tolerant(comments), slug: posts.slug })
			.from(comments)
			.innerJoin(posts, and(eq(posts.id, comments.postId), isNull(posts.deletedAt)))
			.where(
				and(
					gt(comments.id, last),
					isNull(comments.deletedAt),
					isReadable('comment row', comments.id),
					isReadable('post row', posts.id),
				),
			)
			.orderBy(asc(comments.id))
			.limit(CHUNK);
		for (const { comment, slug } of rows) {
			const { id, postId, author, email, content, approved } = comment;
			yield {
				id,
				post: postId,
				postSlug: slug,
				author,
				email,
				content,
				approved,
				parentId: comment.parentId,
				byOwner: comment.byOwner,
				notify: comment.notify,
				earlier: comment.earlier,
				pinnedAt: comment.pinnedAt?.toISOString() ?? null,
				editedAt: comment.editedAt?.toISOString() ?? null,
				reviewedAt: comment.reviewedAt?.toISOString() ?? null,
				createdAt: comment.createdAt.toISOString(),
			};
		}
		if (rows.length < CHUNK) return;
		last = rows.at(-1)!.comment.id;
	}
}

async function* listSubscribers(db: Db) {
	for (let last = ''; ;) {
		const rows = await db
			.select({ ...tolerant(subscribers), topicSlugs })
			.from(subscribers)
			.where(gt(subscribers.id, last))
			.orderBy(asc(subscribers.id))
			.limit(CHUNK);
		for (const { leftAt, pausedUntil, createdAt, ...row } of rows) {
			const { email, name, lastName, source, active, consent, wantsWhole, cadence } = row;
			yield {
				...{ email, name, lastName, source, active },
				leftAt: leftAt?.toISOString() ?? null,
				consent,
				topics: JSON.parse(row.topicSlugs) as string[],
				wantsWhole,
				cadence,
				labels: labelsOf(row),
				pausedUntil: pausedUntil?.toISOString() ?? null,
				createdAt: createdAt.toISOString(),
			};
		}
		if (rows.length < CHUNK) return;
		last = rows.at(-1)!.id;
	}
}

async function* listMedia(db: Db) {
	const rows = await db
		.select({
			id: media.id,
			name: media.name,
			type: media.type,
			alt: media.alt,
			focus: media.focus,
			createdAt: media.createdAt,
		})
		.from(media)
		.where(and(isNull(media.deletedAt), isReadable('image row', media.id)))
		.orderBy(asc(media.id));
	for (const { id, name, type, alt, focus, createdAt } of rows) {
		const file = `media/${id}.${type.replace('image/', '').replace('+xml', '')}`;
		yield { id, name, alt, focus, createdAt: createdAt.toISOString(), file };
	}
}

async function* postsCsv(db: Db) {
	yield CSV_MARK;
	yield csvRow([
		'id',
		'slug',
		'title',
		'category',
		'tags',
		'author',
		'published',
		'featured',
		'read_time',
		'published_at',
		'updated_at',
		'excerpt',
	]);
	for await (const post of listPosts(db)) {
		yield csvRow([
			post.key,
			post.slug,
			post.title,
			post.category,
			post.tags.join('; '),
			post.author,
			post.published,
			post.featured,
			post.readTime,
			post.publishedAt,
			post.updatedAt,
			post.excerpt,
		]);
	}
}

async function* commentsCsv(db: Db) {
	yield CSV_MARK;
	yield csvRow(['id', 'post', 'author', 'email', 'approved', 'created_at', 'content']);
	for await (const comment of listComments(db)) {
		const { id, postSlug, author, email, approved, createdAt, content } = comment;
		yield csvRow([id, postSlug, author, email, approved, createdAt, content]);
	}
}

/** Rows as the text of one JSON list, a row on each line, in parts. */
async function* jsonList(rows: AsyncIterable<object>): AsyncGenerator<string> {
	let part = '[';
	let separator = '\n';
	for await (const row of rows) {
		part += separator + JSON.stringify(row);
		separator = ',\n';
		if (part.length > 100_000) {
			yield part;
			part = '';
		}
	}
	yield `${part}\n]\n`;
}
