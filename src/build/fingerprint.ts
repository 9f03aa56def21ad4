/** Tells whether a build would be the same as the last. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '#db/client.ts';
import { trendingScores } from '#src/features/counts/counts.server.ts';
import type { listIssues } from '#src/features/newsletter/issues.server.ts';
import { trendingArticles } from '#src/features/site/trending.ts';
import type { ArticlePage, Site } from '#src/features/site/site.ts';
import { buildSettings, digestOf } from '#src/features/site/site-data.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { isSameList } from '#src/lib/lists.ts';
import { ROOT } from './builds.ts';

/** The inputs of a build, read once before it. */
export type Source = {
	site: Site;
	/** When they were read. */
	now: Date;
	/** Digest of everything that pages are made of, apart from the code of packages. */
	fingerprint: string;
	/** Issues of the letter, newest first. Each has its page once this is built. */
	issues: Awaited<ReturnType<typeof listIssues>>;
};

/** Returns the digest of everything that pages are made of, apart from the code of packages. */
export async function computeFingerprint(
	db: Db,
	{
		site: {
			articleOf,
			articlePages,
			authors,
			categories,
			tags,
			series,
			states,
			pages,
			readers,
			redirects,
		},
		issues,
		now,
	}: Omit<Source, 'fingerprint'>,
): Promise<string> {
	// Scores fall every day, but readers only see their order.
	const trending = trendingArticles(await trendingScores(db, now), articleOf);
	const hash = createHash('sha256');
	hash.update(JSON.stringify([categories, tags, authors, pages, readers, redirects, states]));
	hash.update(
		JSON.stringify(issues.map(({ date, subject, posts, words }) => [date, subject, posts, words])),
	);
	hash.update(JSON.stringify(trending.map(({ article }) => article.post.id)));
	for (const { articles, ...about } of series)
		hash.update(JSON.stringify([about, articles.map(({ post }) => post.id)]));
	return hash
		.update(digestOfPages(articlePages))
		.update(buildSettings())
		.update(await sourceDigest())
		.digest('base64url');
}

/** How many articles are digested together. */
const PART_SIZE = 1_000;

type Part = { pages: readonly ArticlePage[]; digest: string };

/** Parts that were digested last, counted from the oldest article: a new one changes the last part alone. */
let parts: Part[] = [];

/** Returns the digest of what the pages of all articles show. */
function digestOfPages(all: readonly ArticlePage[]): string {
	const before = parts;
	parts = [];
	for (let end = all.length; end > 0; end -= PART_SIZE) {
		const pages = all.slice(Math.max(0, end - PART_SIZE), end);
		const last = before[parts.length];
		parts.push(
			last && isSameList(last.pages, pages)
				? last
				: {
						pages,
						digest: digestOf(
							pages.map(({ article, related }) => digestOf(article) + digestOf(related)),
						),
					},
		);
	}
	return parts.map(({ digest }) => digest).join('');
}

let cachedSources: Promise<string> | undefined;

/** Returns the digest of the repository's sources. A process builds with the code that it was started with. */
function sourceDigest(): Promise<string> {
	return (cachedSources ??= computeSourceDigest());
}

async function computeSourceDigest(): Promise<string> {
	const hash = createHash('sha256');
	const paths = await sourceFiles();
	// All at once: one after the other, each would wait for what else this process does.
	const texts = await Promise.all(paths.map((path) => readFile(join(ROOT, path))));
	for (const [index, path] of paths.entries()) hash.update(path).update(texts[index]!);
	return hash.digest('base64url');
}

/** Returns the digest of all that Astro bundles: the sources, and the settings that its configuration reads. */
export async function bundleDigest(): Promise<string> {
	const { STYLEGUIDE, GA_MEASUREMENT_ID } = getEnv();
	const settings = JSON.stringify([STYLEGUIDE, GA_MEASUREMENT_ID, process.version]);
	return createHash('sha256')
		.update(settings)
		.update(await sourceDigest())
		.digest('base64url');
}

const DIGEST_FOLDERS = ['src', 'db', 'functions', 'content', 'public'];
const DIGEST_FILES = ['astro.config.mjs', 'netlify.toml', 'package-lock.json', 'tsconfig.json'];

async function sourceFiles(): Promise<string[]> {
	const paths = [...DIGEST_FILES];
	for (const folder of DIGEST_FOLDERS) {
		for (const entry of await readdir(join(ROOT, folder), {
			recursive: true,
			withFileTypes: true,
		})) {
			// The database may be in db/.
			const isData =
				/\.(db(-\w+)?|secret)$/.test(entry.name) ||
				/\.(mailbox|downloads)\b/.test(entry.parentPath);
			if (entry.isFile() && !isData)
				paths.push(join(entry.parentPath, entry.name).slice(ROOT.length));
		}
	}
	return paths.sort();
}
