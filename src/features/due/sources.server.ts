import { and, asc, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#db/client.ts';
import { meta, posts, sources } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { getMeta, setMeta, type MetaKey } from '#src/core/meta.server.ts';
import { isInState } from '#src/core/posts/post-state.server.ts';
import { DAY, MINUTE, SECOND } from '#src/lib/dates.ts';
import type { SourceCheck } from './check.server.ts';
import type { SilentSource } from './due.ts';
import { webLinks } from './links.ts';

/** After how long an address is asked again, and one that did not answer. */
const WEEK = 7 * DAY;
/** A source is told of after so many checks in a row without an answer: hosts are down at times. */
const FAILURES = 2;
/** Hosts asked at once, and addresses of a run. */
const HOSTS = 6;
const ADDRESSES = 300;
/** Hosts without an answer from any of which it follows that there is no network. */
const NO_NETWORK = 3;
/** After how long others may ask. Each server of a database has the same schedule. */
const TURN_MS = 30 * MINUTE;
/** Articles read at once. */
const CHUNK = 100;

export type Checking = {
	ask: (address: string) => Promise<SourceCheck>;
	hasTime: () => boolean;
	/** Milliseconds between two requests to a host. */
	pause?: number;
};

/**
 * Asks the web addresses that public articles link to and that were not asked for a week: of each host one after the other.
 * Keeps nothing where there is no network, and asks nothing where another server does. Returns how many it asked.
 */
export async function checkSources(
	db: Db,
	now: Date,
	{ ask, hasTime, pause = SECOND }: Checking,
): Promise<number> {
	if (!(await takesTurn(db, now))) return 0;
	await listSources(db, now);
	const due = await db
		.select({ url: sources.url })
		.from(sources)
		.where(
			or(
				isNull(sources.checkedAt),
				lt(sources.checkedAt, new Date(+now - WEEK)),
				and(gt(sources.failures, 0), lt(sources.checkedAt, new Date(+now - DAY))),
			),
		)
		.orderBy(asc(sources.checkedAt), asc(sources.url))
		.limit(ADDRESSES);
	const hosts = [...Map.groupBy(due, ({ url }) => new URL(url).host).values()];
	const said = new Map<string, SourceCheck>();
	const queue = hosts.values();
	await Promise.all(
		Array.from({ length: HOSTS }, async () => {
			for (const addresses of queue) {
				for (const [index, { url }] of addresses.entries()) {
					if (!hasTime()) return;
					if (index > 0) await wait(pause);
					said.set(url, await ask(url));
				}
			}
		}),
	);
	const asked = new Set([...said.keys()].map((url) => new URL(url).host));
	const isOffline = ![...said.values()].some(({ isReached }) => isReached);
	if (isOffline && asked.size >= NO_NETWORK) return 0;
	const rows = [...said].map(([url, { fault }]) => ({ url, fault }));
	if (rows.length > 0)
		await db.run(sql`update ${sources} set checked_at = ${now.getTime()}, said = coalesce(j.value ->> 'fault', ''),
			failures = case when j.value ->> 'fault' is null then 0 else failures + 1 end
			from json_each(${JSON.stringify(rows)}) as j where ${sources.url} = j.value ->> 'url'`);
	return said.size;
}

/** Returns whether this server asks, which no other one does for a while. */
async function takesTurn(db: Db, now: Date): Promise<boolean> {
	const key: MetaKey = 'sources_asked_at';
	const { rowsAffected } = await db
		.insert(meta)
		.values({ key, value: String(now.getTime()) })
		.onConflictDoUpdate({
			target: meta.key,
			set: { value: sql`excluded.value` },
			setWhere: sql`abs(excluded.value - ${meta.value}) >= ${TURN_MS}`,
		});
	return rowsAffected > 0;
}

/** Brings the list of addresses up to date, once a day: a whole site of articles is read for it. */
async function listSources(db: Db, now: Date): Promise<void> {
	const last = Number((await getMeta(db, 'sources_listed_at')) ?? 0);
	// A clock that was put back must not stop it.
	if (last <= now.getTime() && now.getTime() - last < DAY) return;
	const found = new Map<string, string[]>();
	for (let after = ''; ;) {
		const rows = await db
			.select(tolerant({ id: posts.id, content: posts.content }))
			.from(posts)
			.where(and(isPublic(now), gt(posts.id, after)))
			.orderBy(asc(posts.id))
			.limit(CHUNK);
		for (const { id, content } of rows)
			for (const url of webLinks(content)) found.set(url, [...(found.get(url) ?? []), id]);
		if (rows.length < CHUNK) break;
		after = rows.at(-1)!.id;
	}
	const list = JSON.stringify([...found].map(([url, articles]) => ({ url, articles })));
	await db.batch([
		db.run(
			sql`delete from ${sources} where url not in (select value ->> 'url' from json_each(${list}))`,
		),
		db.run(sql`insert into ${sources} (url, articles)
			select value ->> 'url', value -> 'articles' from json_each(${list}) where true
			on conflict (url) do update set articles = excluded.articles`),
		setMeta(db, 'sources_listed_at', String(now.getTime())),
	]);
}

/** Returns the sources of public articles that have stopped to answer, those of the most articles first. */
export async function listSilent(db: Db, now: Date): Promise<SilentSource[]> {
	const silent = await db
		.select()
		.from(sources)
		.where(sql`${sources.failures} >= ${FAILURES}`);
	const ids = [...new Set(silent.flatMap(({ articles }) => articles))];
	const rows = await db
		.select(tolerant({ id: posts.id, title: posts.title, content: posts.content }))
		.from(posts)
		.where(and(isPublic(now), inArray(posts.id, ids)))
		.orderBy(asc(posts.title));
	// An article may have been mended since.
	const linked = rows.map(({ id, title, content }) => ({ id, title, links: webLinks(content) }));
	return silent
		.map(({ url, said, checkedAt }) => ({
			url,
			said,
			checkedAt: checkedAt!.toISOString(),
			articles: linked.flatMap(({ id, title, links }) => (links.has(url) ? [{ id, title }] : [])),
		}))
		.filter(({ articles }) => articles.length > 0)
		.sort((a, b) => b.articles.length - a.articles.length || (a.url < b.url ? -1 : 1));
}

const isPublic = (now: Date) => and(isInState('published', now), isReadable('post row', posts.id))!;
