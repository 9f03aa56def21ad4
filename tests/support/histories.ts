/**
 * Compares updates of a site with whole builds after random histories of writes, which their seeds tell. `node histories.ts
 * FOLDER SEED...` makes a site in an empty folder, writes one history after the other, and prints the first after which the
 * two differ, or null, and how many pages updates have left to later ones. All updates are made by this one process, as the server's are, and each whole build reads everything
 * anew. A mutant is named by `MUTANT`: a part of the bundled pages and what stands there instead, or a trigger that is left out.
 */
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import {
	authors,
	categories,
	comments,
	issues,
	pages,
	postChanges,
	posts,
	postTags,
	redirects,
	series,
	settings,
	tags,
} from '#db/schema.ts';
import { buildSite } from '#src/build/build-pages.ts';
import { useBundle } from '#src/build/bundles.ts';
import { BuildMemory } from '#src/build/memory.ts';
import { FileStore } from '#src/build/file-store.ts';
import { Listing } from '#src/build/listing.ts';
import { readSource } from '#src/build/source.ts';
import { addCounts } from '#src/features/counts/counts.server.ts';
import { setEnv } from '#src/lib/env.ts';
import { randomBy } from './random.ts';

/** Posts that writes are made to, and others beside them in lists: one more than two pages in all. */
const POSTS = 14;
const BESIDE = 35;
const at = (day: number) => new Date(Date.UTC(2026, 0, day));

type Write = { says: string; run: (db: Db) => Promise<unknown> };

/** Every kind of write that pages may show, each with values by chance. */
const WRITES: ((any: (below: number) => number) => Write)[] = [
	(any) => set(posts, post(any), { content: `<h2>Part</h2><p>Text ${any(99)}.</p>` }),
	(any) => set(posts, post(any), { title: `Title ${any(99)}` }),
	(any) => set(posts, post(any), { excerpt: any(4) ? `Excerpt ${any(99)}` : null }),
	(any) => set(posts, post(any), { author: any(2) ? 'Ada' : 'Groundtruth' }),
	(any) =>
		set(posts, post(any), { metaTitle: `Meta ${any(99)}`, metaDescription: `Of ${any(99)}` }),
	(any) => set(posts, post(any), { featured: any(2) === 0 }),
	(any) => set(posts, post(any), { published: any(3) > 0 }),
	(any) => set(posts, post(any), { deletedAt: any(2) ? null : at(1) }),
	(any) => set(posts, post(any), { publishedAt: at(1 + any(300)) }),
	(any) => set(posts, post(any), { readTime: 1 + any(9), updatedAt: at(1 + any(300)) }),
	(any) => set(posts, post(any), { reviewedAt: at(1 + any(300)), changedAt: at(1 + any(300)) }),
	(any) => set(posts, post(any), { categoryId: `c${any(3)}` }),
	(any) =>
		set(posts, post(any), { related: any(3) ? `post-${any(POSTS)}, post-${any(POSTS)}` : null }),
	(any) => {
		const [id, slug] = [post(any), `post-${any(POSTS)}-${any(9)}`];
		return {
			says: `the address of ${id} is ${slug}`,
			async run(db) {
				const [before] = await db.select({ slug: posts.slug }).from(posts).where(eq(posts.id, id));
				const [taken] = await db.select({ id: posts.id }).from(posts).where(eq(posts.slug, slug));
				if (taken) return;
				await db.update(posts).set({ slug }).where(eq(posts.id, id));
				await db.delete(redirects).where(eq(redirects.slug, slug));
				await db.insert(redirects).values({ slug: before!.slug, postId: id }).onConflictDoNothing();
			},
		};
	},
	(any) => {
		const [postId, tagId] = [post(any), `t${any(5)}`];
		return {
			says: `the tag ${tagId} of ${postId} comes or goes`,
			async run(db) {
				const link = sql`post_id = ${postId} and tag_id = ${tagId}`;
				if ((await db.$count(postTags, link)) > 0) await db.delete(postTags).where(link);
				else await db.insert(postTags).values({ postId, tagId, position: 9 });
			},
		};
	},
	(any) => set(tags, `t${any(5)}`, { description: any(3) ? `Of tag ${any(99)}` : null }),
	(any) => {
		const n = any(5);
		return set(tags, `t${n}`, { name: `Tag ${n} ${any(9)}` });
	},
	(any) => {
		const n = any(3);
		return set(categories, `c${n}`, { name: `Category ${n} ${any(9)}`, position: any(9) });
	},
	(any) => set(categories, `c${any(3)}`, { color: any(2) ? '#0E7490' : '#7C3AED' }),
	(any) => set(categories, `c${any(3)}`, { description: `About ${any(99)}` }),
	(any) => {
		const [postId, id] = [post(any), `k${any(1e9)}`];
		const day = at(1 + any(300));
		const said = { author: `Reader ${any(9)}`, email: 'r@example.com', content: `Said ${any(99)}` };
		return {
			says: `the comment ${id} at ${postId}`,
			run: (db) =>
				db.insert(comments).values({ ...said, id, postId, createdAt: day, updatedAt: day }),
		};
	},
	(any) => {
		const approved = any(2) === 0;
		return {
			says: `all comments of one reader are ${approved ? '' : 'not '}approved`,
			run: (db) =>
				db
					.update(comments)
					.set({ approved })
					.where(eq(comments.author, `Reader ${any(9)}`)),
		};
	},
	(any) => {
		const counted = { postId: post(any), day: 20_000, views: any(9), shares: any(3) };
		return {
			says: `counts of ${JSON.stringify(counted)}`,
			run: (db) => db.batch([...addCounts(db, counted)]),
		};
	},
	(any) => {
		const [postId, kind, note] = [post(any), any(2) ? 'update' : 'correction', `Note ${any(99)}`];
		return {
			says: `${kind} of ${postId}`,
			run: (db) =>
				db.insert(postChanges).values({
					...{ postId, note, passages: [{ old: 'one', new: 'two' }], title: 'Before' },
					kind: kind as 'update',
					html: '<p>Before.</p>',
					createdAt: at(1 + any(300)),
				}),
		};
	},
	(any) => {
		const n = any(3);
		const page = { title: `Page ${n} ${any(9)}`, content: `<p>Words ${any(99)}.</p>` };
		const flags = { published: any(3) > 0, footer: any(2) === 0 };
		return {
			says: `the page ${n}: ${JSON.stringify({ ...page, ...flags })}`,
			run: (db) =>
				db
					.insert(pages)
					.values({ id: `g${n}`, slug: `page-${n}`, ...page, ...flags })
					.onConflictDoUpdate({ target: pages.id, set: { ...page, ...flags } }),
		};
	},
	(any) => {
		const row = {
			description: `Writes ${any(99)}`,
			links: [{ label: 'Site', href: 'https://a.test' }],
		};
		return {
			says: `the author Ada ${row.description}`,
			run: (db) =>
				db
					.insert(authors)
					.values({ id: 'a1', name: 'Ada', slug: 'ada', ...row })
					.onConflictDoUpdate({ target: authors.id, set: row }),
		};
	},
	(any) => {
		const row = { name: `Series ${any(9)}`, articles: [post(any), post(any), post(any)] };
		row.articles = [...new Set(row.articles)];
		return {
			says: `the series of ${row.articles.join()}`,
			run: (db) =>
				db
					.insert(series)
					.values({ id: 's1', slug: 'path', ...row })
					.onConflictDoUpdate({ target: series.id, set: row }),
		};
	},
	(any) => {
		const value = { version: 1, name: `Site ${any(9)}`, description: `A site ${any(99)}` };
		return {
			says: `the settings ${JSON.stringify(value)}`,
			run: (db) =>
				db
					.insert(settings)
					.values({ key: 'site', value })
					.onConflictDoUpdate({ target: settings.key, set: { value } }),
		};
	},
	(any) => {
		const date = `2026-02-${10 + any(15)}`;
		const told = { id: post(any), slug: `post-${any(POSTS)}`, title: `Told ${any(9)}` };
		const row = {
			subject: `Letter ${any(99)}`,
			posts: [{ ...told, excerpt: 'E', category: 'Category', minutes: 3 }],
		};
		return {
			says: `the letter of ${date}`,
			run: (db) =>
				db
					.insert(issues)
					.values({ date, ...row, createdAt: at(40) })
					.onConflictDoUpdate({ target: issues.date, set: row }),
		};
	},
];

const post = (any: (below: number) => number) => `p${any(POSTS)}`;

function set(
	table: typeof posts | typeof tags | typeof categories,
	id: string,
	values: Record<string, unknown>,
): Write {
	return {
		says: `${id}: ${JSON.stringify(values)}`,
		run: (db) => db.update(table).set(values).where(eq(table.id, id)),
	};
}

/** Returns the writes of a history. */
function historyOf(seed: number): Write[] {
	const random = randomBy(seed);
	const any = (below: number) => Math.floor(random() * below);
	return Array.from({ length: 1 + any(4) }, () => WRITES[any(WRITES.length)]!(any));
}

/** Makes the site that histories begin with. */
async function begin(db: Db): Promise<void> {
	await migrateDb(db);
	await fill(db);
	if (MUTANT && !Array.isArray(MUTANT)) await db.run(sql.raw(`drop trigger ${MUTANT.trigger}`));
	await update(db);
}

/** Begins as a process does that finds nothing to build: it learns what the next update follows. */
async function startAnew(db: Db): Promise<void> {
	memory = new BuildMemory();
	await update(db, false);
}

/**
 * Brings the site up to date, by what this process knows of it: all of it where somebody waits. Of the pages of which only names
 * changed it renders so many. Returns its files.
 */
async function update(db: Db, isAwaited = true, named = Infinity): Promise<Listing> {
	const parts = JSON.parse(await readFile(list, 'utf8').catch(() => 'null')) as string[] | null;
	const readPart = (hash: string) => readFile(target.store.path({ hash }), 'utf8');
	const source = await readSource(db, { ...target, memory });
	const earlier = parts ? await Listing.read(parts, readPart, memory.last?.listing) : undefined;
	const hasTimeForNames = () => named-- > 0;
	const how = { ...target, memory, isAwaited, hasTimeForNames };
	const made = await buildSite(db, source, how, earlier);
	left += made.left;
	await writeFile(list, JSON.stringify(made.parts));
	return made.listing;
}

/**
 * Writes a history. Some writes find the build of those before still at work, which then leaves pages to the next. Returns what
 * an update and a whole build after it do not have alike.
 */
async function goOn(db: Db, seed: number) {
	const writes = historyOf(seed);
	const random = randomBy(~seed);
	if (seed % 3 === 0) await startAnew(db);
	for (const { run } of writes) {
		await run(db);
		if (random() < 0.5) await update(db, random() < 0.8, Math.floor(random() * 40));
	}
	const updated = await update(db, seed % 5 !== 0);
	// It finds nothing that another one has stored, and knows nothing.
	const store = new FileStore(join(folder, 'whole'));
	const apart = { ...target, store, memory: new BuildMemory() };
	const whole = await buildSite(db, await readSource(db, apart), apart);
	const [one, other] = [updated, whole.listing];
	const paths = new Set([...one, ...other].map(([path]) => path));
	const differing = [...paths].filter((path) => one.get(path)?.hash !== other.get(path)?.hash);
	if (differing.length === 0) await rm(join(folder, 'whole'), { recursive: true });
	return differing.length > 0 ? { seed, writes: writes.map(({ says }) => says), differing } : null;
}

/** Replaces a part of the bundled pages in a copy, by which all is built from then on. */
async function breakPages([code, instead]: [string, string]): Promise<void> {
	const { renderer } = await useBundle();
	process.env['GA_MEASUREMENT_ID'] = 'G-MUTANT';
	setEnv();
	const mutant = await useBundle();
	await rm(mutant.renderer, { recursive: true, force: true });
	await cp(renderer, mutant.renderer, { recursive: true });
	const chunks = join(mutant.renderer, 'chunks');
	// The bundler breaks lines where it likes.
	const pattern = new RegExp([...code].map((letter) => RegExp.escape(letter)).join('\\s*'));
	let changed = 0;
	for (const name of await readdir(chunks)) {
		const text = await readFile(join(chunks, name), 'utf8');
		if (!pattern.test(text)) continue;
		await writeFile(
			join(chunks, name),
			text.replace(pattern, () => instead),
		);
		changed++;
	}
	if (changed !== 1) throw new Error(`${changed} files of the bundled pages have ${code}.`);
}

async function fill(db: Db): Promise<void> {
	await db
		.insert(categories)
		.values([0, 1, 2].map((n) => ({ id: `c${n}`, name: `Category ${n}`, slug: `category-${n}` })));
	await db
		.insert(tags)
		.values([0, 1, 2, 3, 4].map((n) => ({ id: `t${n}`, name: `Tag ${n}`, slug: `tag-${n}` })));
	await db.insert(posts).values(
		Array.from({ length: POSTS }, (_, n) => ({
			...{ id: `p${n}`, slug: `post-${n}`, title: `Post ${n}`, excerpt: `Excerpt ${n}` },
			...{ content: `<h2>Part</h2><p>Text of post ${n}.</p>`, author: 'Groundtruth' },
			...{ categoryId: `c${n % 3}`, published: true },
			...{ publishedAt: at(n + 1), createdAt: at(n + 1), updatedAt: at(n + 1) },
		})),
	);
	await db.insert(posts).values(
		Array.from({ length: BESIDE }, (_, n) => ({
			...{ id: `q${n}`, slug: `beside-${n}`, title: `Beside ${n}`, content: `<p>Text ${n}.</p>` },
			...{ author: 'Groundtruth', categoryId: 'c0', published: true },
			...{ publishedAt: at(1 + 8 * n), createdAt: at(1 + 8 * n), updatedAt: at(1 + 8 * n) },
		})),
	);
	await db
		.insert(postTags)
		.values(Array.from({ length: POSTS }, (_, n) => ({ postId: `p${n}`, tagId: `t${n % 5}` })));
	await db
		.insert(postTags)
		.values(Array.from({ length: BESIDE }, (_, n) => ({ postId: `q${n}`, tagId: 't0' })));
}

const [folder = '', ...seeds] = process.argv.slice(2);
const url = `file:${join(folder, 'site.db')}`;
const list = join(folder, 'parts.json');
const target = {
	...{ cacheDir: join(folder, 'cache'), workDir: join(folder, 'next'), report() {} },
	...{ store: new FileStore(join(folder, 'store')), hasTime: () => false, isCompressed: false },
};
let memory = new BuildMemory();
/** How many pages updates have left to the next ones. */
let left = 0;
type Mutant = [code: string, instead: string] | { trigger: string };
const MUTANT = JSON.parse(process.env['MUTANT'] ?? 'null') as Mutant | null;
Object.assign(process.env, { DATABASE_URL: url, SITE_URL: 'https://groundtruth.test' });
setEnv();
const isNew = !existsSync(list);
/** Opens the database once more, as each build does. */
const withDb = async <Out>(work: (db: Db) => Promise<Out>): Promise<Out> => {
	const db = await openDb(url);
	return work(db).finally(() => db.$client.close());
};
if (Array.isArray(MUTANT)) await breakPages(MUTANT);
if (isNew) await withDb(begin);
let difference: unknown = null;
for (const seed of seeds) difference ??= await withDb((db) => goOn(db, Number(seed)));
console.log(JSON.stringify({ difference, left }));
