/** Reads what a build is made of, and records what it made. */
import { join } from 'node:path';
import type { Db } from '#db/client.ts';
import { posts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { recordBuiltUntil } from '#src/core/builds/builds.server.ts';
import { recordBuild } from '#src/core/builds/health.server.ts';
import { checkRows } from '#src/core/builds/rows.server.ts';
import { updateVectors } from '#src/core/meaning/model.server.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { readSiteSettings } from '#src/core/settings/site.server.ts';
import { listIssues } from '#src/features/newsletter/issues.server.ts';
import { checkPictures } from '#src/features/posts/pictures.server.ts';
import { indexEntries } from '#src/features/search/entries.server.ts';
import { loadSite, relateArticles } from '#src/features/site/load.server.ts';
import { provideSite } from '#src/features/site/site-data.server.ts';
import { BuildError } from './builds.ts';
import { checkDrawings } from './figures.server.ts';
import { bundleDigest, computeFingerprint, type Source } from './fingerprint.ts';
import { BuildMemory } from './memory.ts';
import type { Target } from './target.ts';

/**
 * Checks rows, renders stale articles, then reads the site, so that every rendering matches its text. With the `memory` of an
 * earlier reading only posts that were written to since are looked at again.
 */
export async function readSource(
	db: Db,
	{
		report,
		cacheDir,
		memory = new BuildMemory(),
		isAwaited = false,
	}: Pick<Target, 'report' | 'cacheDir'> & Partial<Pick<Target, 'memory' | 'isAwaited'>>,
): Promise<Source> {
	report({ doing: 'Reading what the pages are made of' });
	await readSiteSettings(db);
	for (;;) {
		// Before anything is looked at: a post that is written to meanwhile belongs to the next round, and to the next build as well.
		const { writes, move } = await memory.rendered.next(db);
		await checkRows(db, new Date(), writes);
		await checkPictures(db, join(cacheDir, 'media'));
		const onProgress = (done: number, total: number) =>
			report({ doing: 'Rendering articles', done, total });
		await renderStalePosts(db, undefined, onProgress, writes);
		await checkDrawings(db, join(cacheDir, 'figures'), memory.figures);
		const now = new Date();
		const loaded = await loadSite(db, now, memory.site);
		if (loaded.articles.some(({ rendering }) => rendering === '')) continue;
		move();
		// An unpublished or deleted post still is a row.
		const isEmpty = loaded.articles.length === 0 && (await db.$count(posts)) === 0;
		if (isEmpty && Number(await getMeta(db, 'built_posts')) > 0) {
			throw new BuildError('No posts were found in a database that had some at the last build.');
		}
		const issues = await listIssues(db);
		await indexEntries(db, { site: loaded, issues }, await bundleDigest());
		report({ doing: 'Comparing what texts mean' });
		// Nobody waits for the hourly build.
		await updateVectors(db, memory.isMeant ? writes : undefined, isAwaited).then(
			() => (memory.isMeant = true),
			(error: unknown) => {
				memory.isMeant = false;
				console.error('Texts could not be compared by meaning; search goes on by words:', error);
			},
		);
		const site = await relateArticles(db, loaded, memory.site);
		provideSite(site, db);
		const fingerprint = await computeFingerprint(db, { site, issues, now });
		return { site, now, fingerprint, issues };
	}
}

/** Records what the pages now show. */
export async function recordBuilt(db: Db, { site, now }: Source): Promise<void> {
	await setMeta(db, 'built_posts', String(site.articles.length));
	await recordBuiltUntil(db, now);
	await recordBuild(db, new Date());
}
