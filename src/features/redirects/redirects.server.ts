import { sql, type SQL } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { everyWord, holdsWord } from '#db/like.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import {
	asIs,
	type Change,
	changeOfRows,
	imageOf,
	recordUndoable,
} from '#src/core/undo/undo.server.ts';
import { invalid } from '#src/lib/errors.ts';
import { PAGE_ROWS, pageWithin, parseSort } from '#src/lib/paging.ts';
import { plural } from '#src/lib/text.ts';
import { PAGES } from '#src/site.ts';
import {
	faultOfPath,
	faultOfTarget,
	loopOf,
	MAX_LINES,
	ORIGINS,
	readLines,
	tidy,
	tidyFormer,
	type Origin,
	type Redirect,
	type RedirectRow,
	type RedirectsQuery,
} from './redirect.ts';
import type { ImportedRedirects, Redirects, RefusedLine } from './redirects.api.ts';

/** Terms whose former addresses lead to them, by what their addresses begin with. */
const TERMS = [
	['category', 'categories', '/category/'],
	['tag', 'tags', '/tag/'],
	['series', 'series', '/series/'],
	['author', 'authors', '/author/'],
	['page', 'pages', '/'],
] as const;

/** All redirects as one table: of one that has two rows, the admin's own is meant. `source` and `key` say where the row is. */
const ALL: SQL = sql`(
	select path as "from", target as "to", 'desk' as origin, created_at, 'path_redirects' as source, path as key, replace(path, '/*/', '/:part/') as rule
		from path_redirects
	union all
	select f.path, '/blog/' || p.slug, case when f.path = r.slug then 'moved' else 'renamed' end, r.created_at, 'redirects', r.slug, f.path
		from redirects r
		join (select slug as own, case when substr(slug, 1, 1) = '/' then slug else '/blog/' || slug end as path from redirects) f
			on f.own = r.slug
		join posts p on p.id = r.post_id and p.slug <> r.slug
	${sql.join(
		TERMS.map(
			([kind, table, start]) =>
				sql` union all select ${start} || r.slug, ${start} || t.slug, 'renamed', r.created_at, 'term_redirects', ${kind} || ' ' || r.slug, ${start} || r.slug
					from term_redirects r join ${sql.identifier(table)} t on t.id = r.term_id and r.kind = ${kind}
					where not exists (select 1 from ${sql.identifier(table)} now where now.slug = r.slug)`,
		),
		sql``,
	)}
)`;

type Source = 'path_redirects' | 'redirects' | 'term_redirects';
type Stored = Redirect & { origin: Origin; source: Source; key: string };

/** Returns a page of all redirects. Every word of `q` must occur in one of its addresses. */
export async function listRedirects(
	db: Db,
	{ q, origin, sort, page }: RedirectsQuery,
	areCounted: boolean,
): Promise<Redirects> {
	const words =
		everyWord(q, (word) => holdsWord(sql`r."from" || ' ' || r."to"`, word)) ?? sql`true`;
	const matches = sql`${words} and ${origin ? sql`r.origin = ${origin}` : sql`true`}`;
	const [found] = await db.all<{ total: number }>(
		sql`select count(*) as total from ${ALL} r where ${matches}`,
	);
	const numbers = await db.all<{ origin: Origin; count: number }>(
		sql`select origin, count(*) as count from ${ALL} r group by origin`,
	);
	const total = found!.total;
	const shown = pageWithin(page, total);
	const { key, descending } = parseSort(sort);
	const by = { from: sql`r."from"`, hits: sql`coalesce(h.hits, 0)`, created: sql`r.created_at` };
	const rows = await readRows(
		db,
		sql`where ${matches} order by ${by[key]} ${descending ? sql`desc` : sql`asc`}, r."from"
			limit ${PAGE_ROWS} offset ${(shown - 1) * PAGE_ROWS}`,
	);
	const counts = Object.fromEntries(Object.keys(ORIGINS).map((one) => [one, 0]));
	for (const one of numbers) counts[one.origin] = one.count;
	return {
		...{ rows, total, page: shown, pageSize: PAGE_ROWS, areCounted },
		counts: counts as Record<Origin, number>,
	};
}

/** Whether a build that was asked for by then is not live yet, and none that began since is. */
const WAITS = sql`(exists (select 1 from builds b where b.state <> 'live' and b.requested_at <= r.created_at)
	and not exists (select 1 from builds b where b.state = 'live' and b.started_at >= r.created_at))`;

async function readRows(db: Db, rest: SQL): Promise<RedirectRow[]> {
	const rows = await db.all<{
		from: ArrayBuffer;
		to: ArrayBuffer;
		origin: Origin;
		createdAt: number;
		hits: number;
		lastAt: number | null;
		waits: number;
	}>(sql`select ${asBytes('from')}, ${asBytes('to')}, r.origin as origin, r.created_at as createdAt,
		coalesce(h.hits, 0) as hits, h.last_at as lastAt, ${WAITS} as waits from ${ALL} r left join redirect_hits h on h.path = r.rule ${rest}`);
	const iso = (ms: number) => new Date(ms).toISOString();
	return rows.map(({ from, to, createdAt, lastAt, waits, ...row }) => ({
		...{ from: decode(from), to: decode(to), ...row, createdAt: iso(createdAt) },
		waits: waits === 1,
		lastHitAt: lastAt === null ? null : iso(lastAt),
	}));
}

const asBytes = (name: 'from' | 'to' | 'key') =>
	sql`cast(r.${sql.identifier(name)} as blob) as ${sql.identifier(name)}`;
const decode = (bytes: ArrayBuffer) => Buffer.from(bytes).toString();

/** Returns all redirects, to look for what leads in a circle. */
async function readAll(db: Db): Promise<Stored[]> {
	const rows = await db.all<
		Record<'from' | 'to' | 'key', ArrayBuffer> & { origin: Origin; source: Source }
	>(
		sql`select ${asBytes('from')}, ${asBytes('to')}, ${asBytes('key')}, r.origin as origin, r.source as source from ${ALL} r`,
	);
	return rows.map(({ from, to, key, ...row }) => ({
		...{ from: decode(from), to: decode(to), key: decode(key) },
		...row,
	}));
}

/** Leads a former address to another one, or says what is wrong with them. */
export async function saveRedirect(
	db: Db,
	given: Redirect,
	siteUrl: string,
	actor: Actor,
): Promise<RedirectRow & { undo: string | null }> {
	const redirect = tidied(given, siteUrl);
	const [all, current] = [await readAll(db), await readCurrent(db)];
	const fault = faultOf(redirect, all, current);
	if (fault) throw invalid(fault);
	const isKnown = all.some(({ from, to }) => from === redirect.from && to === redirect.to);
	const undo = isKnown ? null : await store(db, [redirect], actor);
	const [row] = await readRows(db, sql`where r."from" = ${redirect.from}`);
	return { ...row!, undo };
}

const tidied = ({ from, to }: Redirect, siteUrl: string): Redirect => ({
	from: tidyFormer(from, siteUrl),
	to: tidy(to, siteUrl),
});

/** Returns what is wrong with a redirect, by field. */
function faultOf(
	redirect: Redirect,
	all: readonly Stored[],
	current: ReadonlySet<string>,
): Partial<Redirect> | undefined {
	const from = faultOfPath(redirect.from);
	const to = faultOfTarget(redirect.to, redirect.from);
	if (from || to) return { ...(from && { from }), ...(to && { to }) };
	if (current.has(redirect.from))
		return {
			from: `${redirect.from} is there now. Once it has another address, this one leads there`,
		};
	const made = all.find((one) => one.from === redirect.from && one.origin !== 'desk');
	if (made && made.to !== redirect.to)
		return {
			from: `This leads to ${made.to} already, ${ORIGINS[made.origin].toLowerCase()}. Remove that first`,
		};
	const loop = loopOf(redirect, all, (path) => current.has(path));
	return loop && { to: `This would lead in a circle: ${loop.join(' → ')}` };
}

/** Returns the paths of what is there now. */
async function readCurrent(db: Db): Promise<Set<string>> {
	const rows = await db.all<{
		path: ArrayBuffer;
	}>(sql`select cast('/blog/' || slug as blob) as path from posts where published and deleted_at is null
		${sql.join(
			TERMS.map(
				([, table, start]) =>
					sql`union all select cast(${start} || slug as blob) from ${sql.identifier(table)}`,
			),
			sql` `,
		)}`);
	return new Set([...rows.map(({ path }) => decode(path)), ...PAGES.map(({ path }) => path)]);
}

/** Stores redirects, over those of the same address, and returns what takes that back. */
async function store(db: Db, all: readonly Redirect[], { actor, now }: Actor): Promise<string> {
	const token = crypto.randomUUID();
	const json = JSON.stringify(all);
	const given = sql`(select value ->> 'from' as path, value ->> 'to' as target from json_each(${json}))`;
	const key = { path: sql`g.path` };
	// A changed one leads there since now, and waits for a build as a new one does.
	const after = { target: sql`g.target`, created_at: sql`${now.getTime()}` };
	const stored = { target: sql`r.target`, created_at: sql`r.created_at` };
	const before = sql`case when r.path is null then ${imageOf(key, null, after)}
		else ${imageOf(key, stored, after)} end`;
	const change: Change = {
		table: 'path_redirects',
		images: sql`select ${before} as image from ${given} g left join path_redirects r on r.path = g.path`,
	};
	const [first] = all;
	const detail =
		all.length === 1
			? `${first!.from} to ${first!.to}`
			: plural(all.length, 'former address', 'former addresses');
	await db.batch([
		...recordUndoable(
			db,
			{
				token,
				event: { actor, action: 'redirected', subject: 'redirects', detail },
				changes: [change],
				builds: true,
			},
			now,
		),
		db.run(sql`insert into path_redirects (path, target, created_at)
			select path, target, ${now.getTime()} from ${given} where true
			on conflict (path) do update set target = excluded.target, created_at = excluded.created_at`),
		...requestBuild(db, `Redirected ${detail}`, now),
	]);
	return token;
}

/** Takes away where a former address leads. Returns null if it leads nowhere. */
export async function deleteRedirect(
	db: Db,
	given: string,
	siteUrl: string,
	{ actor, now }: Actor,
): Promise<{ from: string; undo: string } | null> {
	const from = tidy(given, siteUrl);
	const found = (await readAll(db)).filter((one) => one.from === from);
	const one = found.find(({ origin }) => origin === 'desk') ?? found[0];
	if (!one) return null;
	const { change, statement } = removalOf(db, one);
	const token = crypto.randomUUID();
	const detail = `the way from ${from} to ${one.to}`;
	await db.batch([
		...recordUndoable(
			db,
			{
				token,
				event: { actor, action: 'removed', subject: 'redirects', detail },
				changes: [change],
				builds: true,
			},
			now,
		),
		statement,
		...requestBuild(db, `Removed ${detail}`, now),
	]);
	return { from, undo: token };
}

function removalOf(db: Db, { source, key }: Stored): { change: Change; statement: Statement } {
	const removal = (id: string[], target: string, isIt: SQL) => {
		const which = sql`from ${sql.identifier(source)} where ${isIt}`;
		return {
			change: changeOfRows(source, asIs(...id), asIs(target, 'created_at'), null, which),
			statement: db.run(sql`delete ${which}`),
		};
	};
	if (source === 'path_redirects') return removal(['path'], 'target', sql`path = ${key}`);
	if (source === 'redirects') return removal(['slug'], 'post_id', sql`slug = ${key}`);
	return removal(['kind', 'slug'], 'term_id', sql`kind || ' ' || slug = ${key}`);
}

/** Saves one redirect for each line of a file, or with `preview` only tells what that would do. */
export async function importRedirects(
	db: Db,
	{ text, preview }: { text: string; preview: boolean },
	siteUrl: string,
	actor: Actor,
): Promise<ImportedRedirects> {
	const lines = readLines(text);
	if (lines.length === 0) throw refusedFile('No line of this file has two addresses');
	if (lines.length > MAX_LINES) throw refusedFile(`Use ${MAX_LINES} lines or fewer at once`);
	const [all, current] = [await readAll(db), await readCurrent(db)];
	const refused: RefusedLine[] = [];
	const saved = new Map<string, Redirect>();
	let known = 0;
	for (const { line, ...given } of lines) {
		const redirect = tidied(given, siteUrl);
		const { from, to } = redirect;
		const fault = saved.has(from)
			? { from: 'A line above has this address' }
			: faultOf(redirect, all, current);
		const reason = fault && Object.values(fault)[0];
		if (reason !== undefined) refused.push({ line, from: given.from.slice(0, 200), reason });
		else if (all.some((one) => one.from === from && one.to === to)) known++;
		else {
			saved.set(from, redirect);
			all.unshift({ ...redirect, origin: 'desk', source: 'path_redirects', key: from });
		}
	}
	const undo = preview || saved.size === 0 ? null : await store(db, [...saved.values()], actor);
	return { saved: saved.size, known, refused, undo };
}

const refusedFile = (text: string) => invalid({ text });
