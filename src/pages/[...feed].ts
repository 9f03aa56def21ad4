import type { APIRoute } from 'astro';
import { withoutPictures } from '#src/core/figures/pictures.server.ts';
import {
	FEED_FILES,
	FEED_LENGTH,
	FEED_WHOLE,
	FORMATS,
	readerHtml,
	type FeedFile,
	type FeedItem,
} from '#src/features/feeds/feed.ts';
import { listIssues } from '#src/features/newsletter/issues.server.ts';
import { fallbackPath, type Picture } from '#src/features/posts/picture.ts';
import { addressOf, articleCard } from '#src/features/site/cards.ts';
import { buildDb, getRendering, getSite, staticPath } from '#src/features/site/site-data.server.ts';
import type { Article, Site } from '#src/features/site/site.ts';
import { getEnv } from '#src/lib/env.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { ICONS, paths, site } from '#src/site.ts';

type Entry = Omit<FeedItem, 'published' | 'updated' | 'html'> & {
	published: string;
	updated: string;
	/** Full text, the post to read it from, or none. */
	html:
		| string
		| { postId: string; rendering: string; picture: Picture | null; undrawn: string[] }
		| null;
};
type List = { title: string; description: string; home: string; entries: Entry[] };

/** Feeds of the site, of each category, tag and author, and of the newsletter, in every format. */
export async function getStaticPaths() {
	const { articles, authors, byAuthor, byCategory, byTag, categories, articleOf, tags } =
		await getSite();
	const lists: List[] = [
		{ title: site.name, description: site.description, home: '/', entries: entriesOf(articles) },
		...categories.map(({ slug, name, description }) => ({
			title: `${site.name}: ${name}`,
			description: description ?? `Articles about ${name}.`,
			home: paths.category(slug),
			entries: entriesOf(byCategory.get(slug) ?? []),
		})),
		...tags.map(({ slug, name, description }) => ({
			title: `${site.name}: ${name}`,
			description:
				description ??
				`Articles about ${name}${site.hasSamples ? ', explained for working engineers' : ''}.`,
			home: paths.tag(slug),
			entries: entriesOf(byTag.get(slug) ?? []),
		})),
		...authors.map(({ slug, name, description }) => ({
			title: `${site.name}: ${name}`,
			description: description ?? `Articles by ${name}.`,
			home: paths.author(slug),
			entries: entriesOf(byAuthor.get(slug) ?? []),
		})),
		{
			title: site.newsletter,
			description: `What ${site.newsletter} told its readers.`,
			home: '/newsletter',
			entries: await issueEntries(articleOf),
		},
	];
	return lists.flatMap((list) =>
		FEED_FILES.map((file) =>
			staticPath({ feed: paths.feed(list.home, file).slice(1) }, { list, file }),
		),
	);
}

export const GET: APIRoute<{ list: List; file: FeedFile }> = async ({ props }) => {
	const base = getEnv().SITE_URL;
	const { list, file } = props;
	const at = (path: string) => new URL(path, base).href;
	const items = await Promise.all(
		list.entries.map(async ({ published, updated, html, ...entry }): Promise<FeedItem> => ({
			...entry,
			url: at(entry.url),
			...(entry.image && { image: at(entry.image) }),
			...(entry.authorUrl && { authorUrl: at(entry.authorUrl) }),
			html:
				html && readerHtml(typeof html === 'string' ? html : await wholeText(html), at(entry.url)),
			published: new Date(published),
			updated: new Date(updated),
		})),
	);
	// A feed without items has never changed.
	const updated = new Date(Math.max(0, ...items.map((item) => item.updated.getTime())));
	const { title, description, home } = list;
	const self = at(paths.feed(home, file));
	return new Response(
		FORMATS[file].write({
			title,
			icon: at(ICONS.pictures[2].path),
			description,
			home: at(home),
			self,
			others: FEED_FILES.filter((other) => other !== file).map((other) => ({
				type: FORMATS[other].type,
				href: at(paths.feed(home, other)),
			})),
			// It is told of these alone: whoever subscribes to another would wait for nothing.
			hub: home === '/' ? getEnv().WEBSUB_HUB : undefined,
			updated,
			items,
		}),
	);
};

function entriesOf(articles: readonly Article[]): Entry[] {
	return articles
		.slice(0, FEED_LENGTH)
		.map(({ post, category, byline, tags, rendering, undrawn }, index) => ({
			id: `urn:uuid:${post.id}`,
			url: paths.post(post.slug),
			title: post.title,
			summary: post.excerpt,
			html:
				index < FEED_WHOLE ? { postId: post.id, rendering, undrawn, picture: post.picture } : null,
			author: post.author,
			...(byline && { authorUrl: paths.author(byline.slug) }),
			tags: [post.category.name, ...tags.map(({ name }) => name)],
			image: addressOf(articleCard({ post, category })),
			published: post.publishedAt ?? post.updatedAt,
			updated: post.updatedAt,
		}));
}

/** Returns an article's text as its page shows it, below its own picture if it has one. */
async function wholeText({
	postId,
	picture,
	undrawn,
}: Exclude<Entry['html'], string | null>): Promise<string> {
	const html = withoutPictures((await getRendering(postId)).html, undrawn);
	// A figure stands in the text anyway.
	if (!picture || picture.figure) return html;
	const { width, height, alt } = picture;
	const src = fallbackPath(picture);
	return `<p><img src="${src}" width="${width}" height="${height}" alt="${escapeHtml(alt)}"></p>${html}`;
}

/** Returns the issues of the letter. Deleted posts stay listed; renamed ones are linked at their current address. */
async function issueEntries(articleOf: Site['articleOf']): Promise<Entry[]> {
	const issues = await listIssues(await buildDb());
	return issues.slice(0, FEED_LENGTH).map(({ date, subject, posts, createdAt }) => ({
		id: new URL(paths.issue(date), getEnv().SITE_URL).href,
		url: paths.issue(date),
		title: subject,
		summary: posts.map(({ title }) => title).join(' · '),
		html: posts
			.map(({ id, title, excerpt }) => {
				const slug = articleOf(id)?.post.slug;
				const head = slug
					? `<a href="${escapeHtml(paths.post(slug))}">${escapeHtml(title)}</a>`
					: escapeHtml(title);
				return `<h2>${head}</h2>${excerpt ? `<p>${escapeHtml(excerpt)}</p>` : ''}`;
			})
			.join(''),
		author: site.author,
		tags: [],
		published: createdAt.toISOString(),
		updated: createdAt.toISOString(),
	}));
}
