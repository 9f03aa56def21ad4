import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { setDb, type Db } from '#db/client.ts';
import { categories, posts, settings, states } from '#db/schema.ts';
import { DatabaseError, HALF_RESTORED, migrateDb, openDb } from '#db/local.ts';
import { filePath } from '#db/file-path.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { contentDigest, seed, seedPages } from '#db/seed.ts';
import { storeLessons } from '#src/features/course/course.server.ts';
import { FIRST_CATEGORY, UNCATEGORIZED } from '#src/features/posts/post.ts';
import { aiWork, FIGURE_KINDS } from '#src/features/states/figures.ts';
import { EnvError, getEnv, setEnv } from '#src/lib/env.ts';
import { slugify } from '#src/lib/slug.ts';
import { plural, readTime } from '#src/lib/text.ts';
import { readSiteSettings } from '#src/core/settings/site.server.ts';
import { DEFAULT_SETTINGS, isFreeSlug, site, withoutSamples } from '#src/site.ts';
import { askBeforeIssues } from '#src/features/newsletter/next-issue.server.ts';
import { siteFolder, withLock, ROOT } from './builds.ts';

/** Runs work that processes starting at the same time must do one after the other. */
function withPrepareLock<T>(work: () => Promise<T>): Promise<T> {
	return withLock(siteFolder(getEnv().DATABASE_URL), 'prepare', work);
}

/** Opens the database of the environment and shares it with the functions. */
export async function openSiteDb(): Promise<Db> {
	const { DATABASE_URL, DATABASE_AUTH_TOKEN } = getEnv();
	if (DATABASE_URL === ':memory:') {
		throw new EnvError('Invalid environment: DATABASE_URL must outlive this process.');
	}
	const file = filePath(DATABASE_URL);
	// Child processes of the build may have another working directory.
	if (file) process.env['DATABASE_URL'] = `file:${resolve(file)}`;
	setEnv();
	const db = await openDb(getEnv().DATABASE_URL, DATABASE_AUTH_TOKEN);
	// A remote database is opened by the functions themselves, with the shorter timeout for visitors.
	if (file) setDb(db);
	return db;
}

/** Applies migrations to the database of the environment. Opens it unless `opened` is given. */
export async function prepareDb(opened?: Db): Promise<Db> {
	const db = opened ?? (await openSiteDb());
	await refuseHalfRestored(db);
	await withPrepareLock(() => migrateDb(db));
	return db;
}

/** Throws if an archive was being restored into the database and that has not ended. */
async function refuseHalfRestored(db: Db): Promise<void> {
	const [found] = await db.values(sql.raw(HALF_RESTORED));
	if (!found) return;
	throw new DatabaseError(
		'An archive is being restored into this database, or that was interrupted: run npm run restore-archive FILE once more.',
	);
}

/** Seeds new files of content/. Returns how many; reads only a digest if none changed. */
export function seedDb(db: Db): Promise<number> {
	return withPrepareLock(() => seedIfChanged(db));
}

async function seedIfChanged(db: Db): Promise<number> {
	if (await isNew(db)) await beginSite(db);
	const { content } = await readSiteSettings(db);
	// Who started empty, or removed the sample content, gets none later: only the pages that each site needs.
	const hasSamples = content === 'sample' && getEnv().SAMPLE_CONTENT;
	const digest = await contentDigest();
	const value = hasSamples ? digest : `pages ${digest}`;
	const before = await getMeta(db, 'content_digest');
	if (before === value) return 0;
	const drafts = await countDrafts(db);
	// Slow to load and rarely needed.
	const { markdownToHtml } = await import('#src/core/articles/markdown.ts');
	const { sanitizeArticle } = await import('#src/core/articles/sanitize.ts');
	const added = await (hasSamples ? seed : seedPages)(db, {
		toArticle: async (markdown) => sanitizeArticle(await markdownToHtml(markdown)),
		slugify,
		readTime,
		aiWork,
		figureKinds: FIGURE_KINDS,
		isFreeSlug,
		author: site.name,
		uncategorized: UNCATEGORIZED,
		isLive: before !== undefined,
	});
	const more = (await countDrafts(db)) - drafts;
	if (more > 0) console.log(`${plural(more, 'new article')} of content/: drafts at the desk.`);
	await setMeta(db, 'content_digest', value);
	return added;
}

const countDrafts = (db: Db) => db.$count(posts, eq(posts.published, false));

/** Returns whether nobody has used this database yet. */
async function isNew(db: Db): Promise<boolean> {
	if ((await getMeta(db, 'setup')) !== undefined) return false;
	return (await db.$count(posts)) === 0 && (await db.$count(states)) === 0;
}

/** Sees to it that the admin is asked to set up the site, and that it starts empty if the environment says so. */
async function beginSite(db: Db): Promise<void> {
	const value = { version: 1, ...withoutSamples(DEFAULT_SETTINGS) };
	await db.batch([
		setMeta(db, 'setup', 'due'),
		askBeforeIssues(db),
		...(getEnv().SAMPLE_CONTENT
			? []
			: [
					db.insert(settings).values({ key: 'site', value }).onConflictDoNothing(),
					db.insert(categories).values(FIRST_CATEGORY).onConflictDoNothing(),
				]),
	]);
}

/** Stores the course's lessons rendered for email. Renders only if their words or looks have changed. */
export function prepareLessons(db: Db): Promise<void> {
	return withPrepareLock(() => renderLessonsIfChanged(db));
}

async function renderLessonsIfChanged(db: Db): Promise<void> {
	const folders = ['content/lessons', 'src/core/outbox', 'src/features/course'];
	const hash = createHash('sha256');
	for (const folder of folders) {
		for (const name of (await readdir(join(ROOT, folder))).sort()) {
			hash.update(name).update(await readFile(join(ROOT, folder, name)));
		}
	}
	const value = hash.digest('hex');
	if ((await getMeta(db, 'lessons_digest')) === value) return;
	// Slow to load and rarely needed.
	const { readLessons } = await import('#src/features/course/lessons.server.ts');
	await storeLessons(db, await readLessons());
	await setMeta(db, 'lessons_digest', value);
}

/** Sets SECRET to the environment's value, or to one that is generated once and kept beside the database. */
export async function prepareSecret(): Promise<void> {
	const { SECRET, DATABASE_URL } = getEnv();
	if (SECRET) return;
	const file = filePath(DATABASE_URL);
	if (!file) {
		throw new EnvError(
			'Invalid environment: SECRET must be set, because the database is on another machine.',
		);
	}
	const path = secretFile(file);
	process.env['SECRET'] =
		(await readSecret(path)) ?? (await withPrepareLock(() => makeSecret(path)));
	setEnv();
}

/**
 * Keeps a secret that came with an archive beside an embedded database, and one that was there under another name. Returns
 * where it is; undefined if the environment must name it.
 */
export async function keepSecret(secret: string, now: Date): Promise<string | undefined> {
	const { SECRET, DATABASE_URL } = getEnv();
	const file = filePath(DATABASE_URL);
	if (SECRET === secret) return 'the environment';
	if (SECRET || !file) return undefined;
	const path = secretFile(file);
	const before = await readSecret(path);
	if (before === secret) return path;
	if (before)
		await rename(path, `${path}.${now.toISOString().replace(/\D/g, '').slice(0, 14)}.before`);
	await writeSecret(path, secret);
	return path;
}

/** Returns where the secret of an embedded database is kept. */
function secretFile(databaseFile: string): string {
	return `${databaseFile.replace(/\.db$/, '')}.secret`;
}

/** Returns undefined also for an empty file, which a crash may leave. */
async function readSecret(path: string): Promise<string | undefined> {
	try {
		return (await readFile(path, 'utf8')).trim() || undefined;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}

/** Creates the secret atomically, unless another process has done so in the meantime. */
async function makeSecret(path: string): Promise<string> {
	const there = await readSecret(path);
	if (there) return there;
	const made = randomBytes(32).toString('base64url');
	await writeSecret(path, made);
	return made;
}

/** Stores a secret in one step, for its owner's eyes alone. */
async function writeSecret(path: string, secret: string): Promise<void> {
	const unfinished = path.replace(/secret$/, 'new.secret');
	await rm(unfinished, { force: true });
	await writeFile(unfinished, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
	await rename(unfinished, path);
}
