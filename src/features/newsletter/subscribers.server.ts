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
import type { Db, Statement } from '#db/client.ts';
import { everyWord, holdsWord } from '#db/like.ts';
import { categories, subscribers } from '#db/schema.ts';
import { asText, tolerant } from '#db/tolerant.ts';
import { auditStatement, recordAudit } from '#src/core/audit/audit.server.ts';
import { nextTurn } from '#src/core/batches.server.ts';
import { erasedAmong } from '#src/core/erased.server.ts';
import { assertOpenImport, beginImport, recordItems } from '#src/core/imports/items.server.ts';
import { IMPORTED } from '#src/core/imports/run.ts';
import { CSV_MARK, csvRow } from '#src/lib/csv.ts';
import { DAY } from '#src/lib/dates.ts';
import { asciiDomain } from '#src/lib/email.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { PAGE_ROWS, pageWithin, parseSort, type Paged } from '#src/lib/paging.ts';
import { plural } from '#src/lib/text.ts';
import { eachTopic, wantsTopic } from './letters.server.ts';
import { MAX_BOUNCES } from './newsletter.server.ts';
import {
	CONSENT_MISSING,
	NO_SOURCE,
	type Activation,
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
				sql`instr(${subscribers.email}, ${storedWord(word)}) > 0`,
				holdsWord(
					sql`coalesce(${subscribers.name}, '') || ' ' || coalesce(${subscribers.lastName}, '')`,
					word,
				),
			),
		),
	);
}

/** Returns a part of an address as it is stored. */
function storedWord(word: string): string {
	const [name, domain] = word.split(/(?<=@)/, 2);
	return (domain ? name + asciiDomain(domain) : asciiDomain(word)).toLowerCase();
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

/** Activates or deactivates subscribers. Returns the ids of those that changed, and when those that are inactive left. */
export async function setActive(
	db: Db,
	{ ids, active, leftAt }: Activation,
	actor: string,
	now: Date,
): Promise<{ changed: string[]; leftAt: string }> {
	const which = and(
		inArray(subscribers.id, ids),
		eq(subscribers.active, !active),
		leftAt
			? and(eq(subscribers.leftAt, new Date(leftAt)), lt(subscribers.hardBounces, MAX_BOUNCES))
			: undefined,
	);
	const found = await db.select({ id: subscribers.id }).from(subscribers).where(which);
	if (found.length === 0) return { changed: [], leftAt: now.toISOString() };
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
	return { changed: changed.map(({ id }) => id), leftAt: now.toISOString() };
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
	'how_often',
	'consent',
];

const topicNames = sql<string | null>`(select group_concat(name, '; ') from
	(select name from categories where id in (select value from ${eachTopic}) order by name))`;

/** The slugs of a subscriber's topics, as a list in JSON. */
export const topicSlugs = sql<string>`(select json_group_array(slug) from categories where id in (select value from ${eachTopic}))`;

/** Yields a CSV file of all matching subscribers in the order of ids, in parts. */
export async function* exportSubscribers(
	db: Db,
	filter: SubscribersFilter,
): AsyncGenerator<string> {
	yield CSV_MARK + csvRow(EXPORT_COLUMNS);
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
						row.cadence,
						row.consent,
					]),
				)
				.join('');
		}
		if (rows.length < EXPORT_ROWS) return;
		last = rows.at(-1)!.id;
	}
}

/** Addresses that are imported in one turn, and looked up in one statement. */
const LOOKUP_BATCH = 100;

/**
 * Imports subscribers, one per address. Nobody who left here is made active, except by `reactivate`, and who left elsewhere
 * is made inactive where the address was imported before or left after signing up; the rest of what is there is not
 * overwritten but with the consent of those who are brought back. Nobody comes in who would get letters without a stated
 * consent. Whoever had everything erased stays away as who left. `preview` changes nothing. Sends no welcome emails.
 */
export async function importSubscribers(
	db: Db,
	{ rows, reactivate, preview, importId, run, consent }: ImportInput,
	actor: string,
	now: Date,
): Promise<ImportReport> {
	const report = {
		...{ added: 0, completed: 0, unchanged: 0, keptAway: 0, reactivated: 0 },
		unstated: 0,
	};
	let left = 0;
	if (importId && !preview) await assertOpenImport(db, importId);
	const belongsTo = run?.id ?? importId;
	const batches: Statement[][] = [];
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
		const strangers = part.filter((row) => row.active && !known.has(row.email));
		const erased = await erasedAmong(
			db,
			strangers.map(({ email }) => email),
		);
		const added = [];
		const changed: { id: string; key: string }[] = [];
		const updates = [];
		for (const row of part) {
			const old = known.get(row.email);
			const createdAt = row.createdAt ? new Date(row.createdAt) : now;
			const stated = row.consent || consent || null;
			const returns = row.active && (old?.active === false || erased.has(row.email));
			const back = returns && reactivate;
			if (!importId && !row.consent && (old || returns ? back : row.active)) report.unstated++;
			const leftAt = row.active ? null : row.leftAt ? new Date(row.leftAt) : now;
			if (!old && returns && !back) {
				report.keptAway++;
				continue;
			}
			if (!old) {
				if (back) report.reactivated++;
				else report.added++;
				const topics = all.filter(({ slug }) => row.topics?.includes(slug)).map(({ id }) => id);
				const pausedUntil = row.pausedUntil ? new Date(row.pausedUntil) : null;
				added.push({
					...{ id: crypto.randomUUID(), ...row, createdAt, leftAt, importedAt: now },
					...{ topics, pausedUntil },
					consent: stated,
				});
				continue;
			}
			const isLater = row.leftAt !== null && new Date(row.leftAt) > old.createdAt;
			const leaves = !importId && !row.active && old.active && (old.importedAt !== null || isLater);
			const fills =
				(row.name && !old.name) || (row.lastName && !old.lastName) || (row.source && !old.source);
			if (back) report.reactivated++;
			else if (returns) report.keptAway++;
			else if (leaves) left++;
			else if (fills) report.completed++;
			else report.unchanged++;
			if (!back && !fills && !leaves) continue;
			const next = {
				...old,
				name: old.name ?? row.name,
				lastName: old.lastName ?? row.lastName,
				source: old.source ?? row.source,
				...(leaves && { active: false, leftAt }),
				...(back && {
					...{ active: true, leftAt: null, pausedUntil: null, hardBounces: 0 },
					consent: stated ?? old.consent,
				}),
			};
			const { name, lastName, source, active, pausedUntil, hardBounces } = next;
			changed.push({
				id: old.id,
				key: JSON.stringify({ before: changeable(old), after: changeable(next) }),
			});
			updates.push(
				db
					.update(subscribers)
					.set({
						...{ name, lastName, source, active, pausedUntil, hardBounces },
						...{ leftAt: next.leftAt, consent: next.consent },
					})
					.where(eq(subscribers.id, old.id)),
			);
		}
		batches.push([
			...(added.length > 0 ? [db.insert(subscribers).values(added).onConflictDoNothing()] : []),
			...(belongsTo && added.length > 0 ? [recordItems(db, belongsTo, 'subscriber', added)] : []),
			...(run && changed.length > 0
				? [recordItems(db, run.id, 'changed-subscriber', changed)]
				: []),
			...updates,
		]);
		await nextTurn();
	}
	const total = left > 0 ? { ...report, left } : report;
	if (preview) return total;
	if (report.unstated > 0 && !consent)
		throw new AppError('validation', MESSAGES.validation, { fields: { consent: CONSENT_MISSING } });
	if (run) await beginImport(db, run, { actor, now, action: IMPORTED.subscribers });
	for (const [first, ...others] of batches) {
		if (first) await db.batch([first, ...others]);
		await nextTurn();
	}
	// Those of an archive and of a file in parts are covered by the log entry of their import.
	if (!belongsTo && rows.length > 0) {
		const detail = `${report.added} added, ${report.reactivated} active again, ${report.keptAway} stay away, of ${rows.length}`;
		const event = { actor, action: IMPORTED.subscribers, subject: 'subscribers', detail };
		await recordAudit(db, event, now);
	}
	return total;
}

/** Returns what an import may change of a subscriber, as it is stored. */
function changeable(row: typeof subscribers.$inferSelect) {
	const { name, lastName, source, consent, hardBounces } = row;
	return {
		...{ name, source, consent, last_name: lastName, hard_bounces: hardBounces },
		active: Number(row.active),
		left_at: row.leftAt?.getTime() ?? null,
		paused_until: row.pausedUntil?.getTime() ?? null,
	};
}
