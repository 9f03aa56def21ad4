import {
	and,
	asc,
	count,
	desc,
	eq,
	gt,
	gte,
	inArray,
	isNull,
	lt,
	or,
	sql,
	type SQL,
} from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { everyWord, holdsWord } from '#db/like.ts';
import { categories, subscribers } from '#db/schema.ts';
import { asText, tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { assertOpenImport, recordItems } from '#src/core/imports/items.server.ts';
import { csvRow } from '#src/lib/csv.ts';
import { DAY } from '#src/lib/dates.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { PAGE_ROWS, pageWithin, parseSort, type Paged } from '#src/lib/paging.ts';
import { plural } from '#src/lib/text.ts';
import { eachTopic, wantsTopic } from './letters.server.ts';
import {
	CONSENT_MISSING,
	NO_SOURCE,
	type ImportInput,
	type ImportReport,
	type SubscriberRow,
	type SubscribersFilter,
	type SubscribersQuery,
} from './subscribers.ts';

const SORTS = {
	created: subscribers.createdAt,
	email: subscribers.email,
	source: subscribers.source,
};

function filterCondition({
	q,
	source,
	state,
	topic,
	from,
	to,
}: SubscribersFilter): SQL | undefined {
	return and(
		state && eq(subscribers.active, state === 'active'),
		source === undefined
			? undefined
			: source === NO_SOURCE
				? isNull(subscribers.source)
				: eq(subscribers.source, source),
		topic ? wantsTopic([topic]) : undefined,
		from ? gte(subscribers.createdAt, new Date(from)) : undefined,
		to ? lt(subscribers.createdAt, new Date(new Date(to).getTime() + DAY)) : undefined,
		everyWord(q, (word) =>
			or(
				sql`instr(${subscribers.email}, ${word.toLowerCase()}) > 0`,
				holdsWord(
					sql`coalesce(${subscribers.name}, '') || ' ' || coalesce(${subscribers.lastName}, '')`,
					word,
				),
			),
		),
	);
}

export async function listSubscribers(
	db: Db,
	{ page, sort, ...filter }: SubscribersQuery,
): Promise<Paged<SubscriberRow>> {
	const { key, descending } = parseSort(sort);
	const direction = descending ? desc : asc;
	const matches = filterCondition(filter);
	const total = await db.$count(subscribers, matches);
	const shown = pageWithin(page, total);
	const rows = await db
		.select(tolerant(subscribers))
		.from(subscribers)
		.where(matches)
		.orderBy(direction(SORTS[key]), direction(subscribers.createdAt))
		.limit(PAGE_ROWS)
		.offset((shown - 1) * PAGE_ROWS);
	return { rows: rows.map(toSubscriberRow), total, page: shown, pageSize: PAGE_ROWS };
}

function toSubscriberRow(row: typeof subscribers.$inferSelect): SubscriberRow {
	const { id, email, source, active, consent } = row;
	return {
		id,
		email,
		source,
		active,
		consent,
		name: [row.name, row.lastName].filter(Boolean).join(' ') || null,
		createdAt: row.createdAt.toISOString(),
		leftAt: row.leftAt?.toISOString() ?? null,
	};
}

/** Counts subscribers by state and by source. */
export async function countAll(db: Db) {
	const rows = await db
		.select({
			source: asText(subscribers.source),
			active: subscribers.active,
			count: count(),
		})
		.from(subscribers)
		.groupBy(subscribers.source, subscribers.active);
	const sources = new Map<string | null, number>();
	let active = 0;
	let inactive = 0;
	for (const row of rows) {
		if (row.active) active += row.count;
		else inactive += row.count;
		sources.set(row.source, (sources.get(row.source) ?? 0) + row.count);
	}
	return {
		active,
		inactive,
		sources: [...sources]
			.map(([source, number]) => ({ source, count: number }))
			.sort((a, b) => b.count - a.count),
	};
}

/** Activates or deactivates subscribers. Returns the ids of those that changed. */
export async function setActive(
	db: Db,
	{ ids, active }: { ids: string[]; active: boolean },
	actor: string,
	now: Date,
): Promise<{ changed: string[] }> {
	const which = and(inArray(subscribers.id, ids), eq(subscribers.active, !active));
	const found = await db.select({ id: subscribers.id }).from(subscribers).where(which);
	if (found.length === 0) return { changed: [] };
	const action = active ? 'made subscribers active' : 'made subscribers inactive';
	const [changed] = await db.batch([
		db
			.update(subscribers)
			.set({ active, leftAt: active ? null : now })
			.where(which)
			.returning({ id: subscribers.id }),
		auditStatement(
			db,
			{
				actor,
				action,
				subject: `subscriber ${found[0]!.id}`,
				detail: plural(found.length, 'subscriber'),
			},
			now,
		),
	]);
	return { changed: changed.map(({ id }) => id) };
}

/** Rows read per part of an export. */
const EXPORT_ROWS = 5000;
const EXPORT_COLUMNS = [
	'email',
	'first_name',
	'last_name',
	'source',
	'active',
	'created_at',
	'left_at',
	'topics',
	'consent',
];

/** The names of a subscriber's topics. */
const topicNames = sql<string | null>`(select group_concat(name, '; ') from
	(select name from categories where id in (select value from ${eachTopic}) order by name))`;

/** The slugs of a subscriber's topics, as a list in JSON. */
export const topicSlugs = sql<string>`(select json_group_array(slug) from categories where id in (select value from ${eachTopic}))`;

/** Yields a CSV file of all matching subscribers in the order of ids, in parts. */
export async function* exportSubscribers(
	db: Db,
	filter: SubscribersFilter,
): AsyncGenerator<string> {
	yield csvRow(EXPORT_COLUMNS);
	const matches = filterCondition(filter);
	for (let last = ''; ;) {
		const rows = await db
			.select({ ...tolerant(subscribers), topicNames })
			.from(subscribers)
			.where(and(matches, gt(subscribers.id, last)))
			.orderBy(asc(subscribers.id))
			.limit(EXPORT_ROWS);
		if (rows.length > 0) {
			yield rows
				.map((row) =>
					csvRow([
						row.email,
						row.name,
						row.lastName,
						row.source,
						row.active,
						row.createdAt.toISOString(),
						row.leftAt?.toISOString() ?? null,
						row.topicNames,
						row.consent,
					]),
				)
				.join('');
		}
		if (rows.length < EXPORT_ROWS) return;
		last = rows.at(-1)!.id;
	}
}

/** Addresses looked up per statement. */
const LOOKUP_BATCH = 500;

/**
 * Imports subscribers, one per address. Existing data is never overwritten, except for the consent of former subscribers
 * whom `reactivate` brings back; without it they stay away. Nobody comes in who would get letters without a stated consent.
 * `preview` changes nothing. Sends no welcome emails.
 */
export async function importSubscribers(
	db: Db,
	{ rows, reactivate, preview, importId, consent }: ImportInput,
	actor: string,
	now: Date,
): Promise<ImportReport> {
	const report = {
		...{ added: 0, completed: 0, unchanged: 0, keptAway: 0, reactivated: 0 },
		unstated: 0,
	};
	if (importId && !preview) await assertOpenImport(db, importId);
	const batches: (() => Promise<unknown>)[] = [];
	const all = await db
		.select(tolerant({ id: categories.id, slug: categories.slug }))
		.from(categories);
	for (let start = 0; start < rows.length; start += LOOKUP_BATCH) {
		const part = rows.slice(start, start + LOOKUP_BATCH);
		const known = new Map(
			(
				await db
					.select(tolerant(subscribers))
					.from(subscribers)
					.where(
						inArray(
							subscribers.email,
							part.map(({ email }) => email),
						),
					)
			).map((row) => [row.email, row]),
		);
		const added = [];
		const updates = [];
		for (const row of part) {
			const old = known.get(row.email);
			const createdAt = row.createdAt ? new Date(row.createdAt) : now;
			const stated = row.consent || consent || null;
			const returns = row.active && old?.active === false;
			const back = returns && reactivate;
			if (!importId && !row.consent && (old ? back : row.active)) report.unstated++;
			if (!old) {
				report.added++;
				const leftAt = row.active ? null : row.leftAt ? new Date(row.leftAt) : now;
				const topics = all.filter(({ slug }) => row.topics?.includes(slug)).map(({ id }) => id);
				const pausedUntil = row.pausedUntil ? new Date(row.pausedUntil) : null;
				added.push({
					...{ id: crypto.randomUUID(), ...row, createdAt, leftAt, importedAt: now },
					...{ topics, pausedUntil },
					consent: stated,
				});
				continue;
			}
			const fills =
				(row.name && !old.name) || (row.lastName && !old.lastName) || (row.source && !old.source);
			if (back) report.reactivated++;
			else if (returns) report.keptAway++;
			else if (fills) report.completed++;
			else report.unchanged++;
			if (!back && !fills) continue;
			updates.push(
				db
					.update(subscribers)
					.set({
						name: old.name ?? row.name,
						lastName: old.lastName ?? row.lastName,
						source: old.source ?? row.source,
						...(back && {
							...{ active: true, leftAt: null, pausedUntil: null, hardBounces: 0 },
							consent: stated ?? old.consent,
						}),
					})
					.where(eq(subscribers.id, old.id)),
			);
		}
		const statements = [
			...(added.length > 0 ? [db.insert(subscribers).values(added).onConflictDoNothing()] : []),
			...(importId && added.length > 0 ? [recordItems(db, importId, 'subscriber', added)] : []),
			...updates,
		];
		const [first, ...others] = statements;
		if (first) batches.push(() => db.batch([first, ...others]));
	}
	if (preview) return report;
	if (report.unstated > 0 && !consent)
		throw new AppError('validation', MESSAGES.validation, { fields: { consent: CONSENT_MISSING } });
	for (const store of batches) await store();
	// Those of an archive are covered by the log entry of its import.
	if (!importId && rows.length > 0) {
		const detail = `${report.added} added, ${report.reactivated} active again, ${report.keptAway} stay away, of ${rows.length}`;
		await auditStatement(
			db,
			{ actor, action: 'imported subscribers', subject: 'subscribers', detail },
			now,
		);
	}
	return report;
}
