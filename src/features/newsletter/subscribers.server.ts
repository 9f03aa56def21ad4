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
import { categories, importItems, imports, subscribers } from '#db/schema.ts';
import { asText, tolerant } from '#db/tolerant.ts';
import { auditStatement, recordAudit } from '#src/core/audit/audit.server.ts';
import { abortUnless, nextTurn, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { erasedAmong } from '#src/core/erased.server.ts';
import { assertOpenImport, beginImport, recordItems } from '#src/core/imports/items.server.ts';
import { IMPORTED } from '#src/core/imports/run.ts';
import { CSV_MARK, csvRow } from '#src/lib/csv.ts';
import { DAY, longDate } from '#src/lib/dates.ts';
import { asciiDomain } from '#src/lib/email.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { PAGE_ROWS, pageWithin, parseSort, type Paged } from '#src/lib/paging.ts';
import { plural } from '#src/lib/text.ts';
import { eachLabel, eachTopic, hasLabel, wantsTopic } from './letters.server.ts';
import { MAX_BOUNCES } from './newsletter.server.ts';
import { splitName } from './subscriber.ts';
import {
	CONSENT_MISSING,
	MAX_LABELS,
	NO_SOURCE,
	type Activation,
	type ImportInput,
	type ImportReport,
	type Labeling,
	type NewSubscriber,
	type SubscriberRow,
	type SubscriberState,
	type SubscribersFilter,
	type SubscribersQuery,
} from './subscribers.ts';

const SORTS = {
	created: subscribers.createdAt,
	email: subscribers.email,
	source: subscribers.source,
};

/** The state of a row of `subscribers`. */
/** The file that brought somebody in, while it is known. */
const importFile = sql<
	string | null
>`(select i.name from ${importItems} t join ${imports} i on i.id = t.import_id
	where t.item_id = subscribers.id and t.kind = 'subscriber' limit 1)`;

const stateAt = (now: Date) =>
	sql<SubscriberState>`case when active then iif(coalesce(paused_until, 0) > ${now.getTime()}, 'paused', 'active')
		when hard_bounces >= ${MAX_BOUNCES} then 'bounced' else 'left' end`;

function filterCondition(
	{ q, source, state, label, topic, from, to }: SubscribersFilter,
	now: Date,
): SQL | undefined {
	return and(
		state === 'inactive' || state === 'left' || state === 'bounced'
			? eq(subscribers.active, false)
			: state && eq(subscribers.active, true),
		state && state !== 'inactive' ? eq(stateAt(now), state) : undefined,
		label ? hasLabel(label) : undefined,
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
	now: Date,
): Promise<Paged<SubscriberRow>> {
	const { key, descending } = parseSort(sort);
	const direction = descending ? desc : asc;
	const matches = filterCondition(filter, now);
	const total = await db.$count(subscribers, matches);
	const shown = pageWithin(page, total);
	const rows = await db
		.select({ ...tolerant(subscribers), state: stateAt(now), file: importFile })
		.from(subscribers)
		.where(matches)
		.orderBy(direction(SORTS[key]), direction(subscribers.createdAt))
		.limit(PAGE_ROWS)
		.offset((shown - 1) * PAGE_ROWS);
	return { rows: rows.map(toSubscriberRow), total, page: shown, pageSize: PAGE_ROWS };
}

type Row = typeof subscribers.$inferSelect;
type Found = Row & { state: SubscriberState; file: string | null };

/** Returns a row as the desk gets it. */
export function toSubscriberRow(row: Found): SubscriberRow {
	const { id, email, source, state, consent } = row;
	return {
		...{ id, email, source, state, consent },
		imported: row.importedAt && { at: row.importedAt.toISOString(), file: row.file },
		labels: labelsOf(row),
		pausedUntil: iso(row.pausedUntil),
		name: [row.name, row.lastName].filter(Boolean).join(' ') || null,
		createdAt: row.createdAt.toISOString(),
		// Who came as somebody who had left did so on a day that nobody knows.
		leftAt: row.leftAt?.getTime() === row.importedAt?.getTime() ? null : iso(row.leftAt),
	};
}

const iso = (time: Date | null) => time?.toISOString() ?? null;

/** Returns the labels of a row, none where they cannot be read. */
export const labelsOf = ({ labels }: Pick<Row, 'labels'>) =>
	Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [];

/** Reads somebody by address, or null. */
export async function findSubscriber(
	db: Db,
	email: string,
	now: Date,
): Promise<(Found & { topicNames: string | null }) | null> {
	const [row] = await db
		.select({ ...tolerant(subscribers), state: stateAt(now), file: importFile, topicNames })
		.from(subscribers)
		.where(eq(subscribers.email, email));
	return row ?? null;
}

/** Counts subscribers by state, by label and by source. */
export async function countAll(db: Db, now: Date) {
	const byState = await db
		.select({ state: stateAt(now), count: count() })
		.from(subscribers)
		.groupBy(sql`1`);
	const states = { active: 0, paused: 0, left: 0, bounced: 0 };
	for (const row of byState) states[row.state] = row.count;
	const labels = await db
		.select({ label: asText(sql`min(value)`), count: count() })
		.from(sql`${subscribers}, ${eachLabel}`)
		.where(sql`labels <> '[]' and typeof(value) = 'text'`)
		.groupBy(sql`lower(value)`)
		.orderBy(sql`lower(value)`);
	const rows = await db
		.select({
			source: asText(subscribers.source),
			count: count(),
		})
		.from(subscribers)
		.groupBy(subscribers.source)
		.orderBy(desc(sql`2`));
	return { states, labels, sources: rows };
}

/** Returns how many people have subscribed by themselves since a time and still do, and how many have left. */
export async function countSince(db: Db, since: Date): Promise<{ joined: number; left: number }> {
	const { active, createdAt, importedAt, leftAt } = subscribers;
	const [joined, left] = await Promise.all([
		db.$count(subscribers, and(gt(createdAt, since), isNull(importedAt), eq(active, true))),
		// A file may say when somebody left.
		db.$count(
			subscribers,
			and(gt(leftAt, since), eq(active, false), sql`${leftAt} is not ${importedAt}`),
		),
	]);
	return { joined, left };
}

/** Said of somebody who does not come in by hand. */
const ASKS_ITSELF = 'Nobody else can bring this person back: every form of the site does.';

/** Adds somebody by hand, who gets letters from now on. Sends nothing. Throws a refusal where the address is known. */
export async function addSubscriber(
	db: Db,
	{ email, name: fullName, consent }: NewSubscriber,
	actor: string,
	now: Date,
): Promise<{ id: string }> {
	const refuse = (words: string) => invalid({ email: words });
	return retryWhenOvertaken(async () => {
		const known = await findSubscriber(db, email, now);
		if (known?.active) throw refuse('This person gets your letters already.');
		if (known) {
			const what = known.state === 'bounced' ? 'could not be reached' : 'left';
			const when = longDate(known.leftAt ?? known.createdAt);
			throw refuse(`This person ${what} on ${when}. ${ASKS_ITSELF}`);
		}
		if ((await erasedAmong(db, [email])).has(email))
			throw refuse(`This person had everything erased. ${ASKS_ITSELF}`);
		const id = crypto.randomUUID();
		const { name, lastName } = splitName(fullName);
		await db.batch([
			abortUnless(db, sql`not exists (select 1 from ${subscribers} where email = ${email})`),
			db.insert(subscribers).values({
				...{ id, email, consent, createdAt: now, importedAt: now },
				...{ name: name || null, lastName: lastName || null, source: 'Added by hand' },
			}),
			auditStatement(db, { actor, action: 'added a subscriber', subject: `subscriber ${id}` }, now),
		]);
		return { id };
	});
}

/** Ids that an answer names at most. */
const NAMED = 200;

/** Adds a label to people, or removes it, with a trace. Who has 20 gets no other one. */
export async function labelSubscribers(
	db: Db,
	{ ids, label, on }: Labeling,
	actor: string,
	now: Date,
): Promise<{ changed: string[]; count: number }> {
	if (on && !ids) throw new AppError('validation', 'Choose one or more');
	const these = ids ? inArray(subscribers.id, ids) : undefined;
	const which = on
		? and(these, sql`not ${hasLabel(label)} and json_array_length(labels) < ${MAX_LABELS}`)
		: and(these, hasLabel(label));
	const found = await db.$count(subscribers, which);
	if (found === 0) return { changed: [], count: 0 };
	const [changed] = await db.batch([
		db
			.update(subscribers)
			.set({
				labels: on
					? sql`json_insert(labels, '$[#]', ${label})`
					: sql`(select json_group_array(value) from ${eachLabel} where lower(value) <> lower(${label}))`,
			})
			.where(which)
			.returning({ id: subscribers.id }),
		auditStatement(
			db,
			{
				actor,
				action: on ? 'labeled subscribers' : 'removed a label from subscribers',
				subject: 'subscribers',
				detail: `“${label}”: ${plural(found, 'subscriber')}`,
			},
			now,
		),
	]);
	return { changed: changed.slice(0, NAMED).map(({ id }) => id), count: changed.length };
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

/** Rows read per part of an export: what is made of them takes some milliseconds. */
const EXPORT_ROWS = 200;
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
	'labels',
];

const topicNames = sql<string | null>`(select group_concat(name, '; ') from
	(select name from categories where id in (select value from ${eachTopic}) order by name))`;

/** The slugs of a subscriber's topics, as a list in JSON. */
export const topicSlugs = sql<string>`(select json_group_array(slug) from categories where id in (select value from ${eachTopic}))`;

/** Yields a CSV file of all matching subscribers in the order of ids, in parts. */
export async function* exportSubscribers(
	db: Db,
	filter: SubscribersFilter,
	now: Date,
): AsyncGenerator<string> {
	yield CSV_MARK + csvRow(EXPORT_COLUMNS);
	const matches = filterCondition(filter, now);
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
						labelsOf(row).join(', ') || null,
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
					labels: row.labels ?? [],
				});
				continue;
			}
			const isLater = row.leftAt !== null && new Date(row.leftAt) > old.createdAt;
			const leaves = !importId && !row.active && old.active && (old.importedAt !== null || isLater);
			const labels = withLabels(labelsOf(old), row.labels ?? []);
			const fills =
				(row.name && !old.name) ||
				(row.lastName && !old.lastName) ||
				(row.source && !old.source) ||
				labels.length > old.labels.length;
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
				labels,
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
						...{ leftAt: next.leftAt, consent: next.consent, labels },
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
	if (report.unstated > 0 && !consent) throw invalid({ consent: CONSENT_MISSING });
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

/** Returns labels with those of others that are new, in capitals or not. */
function withLabels(labels: string[], others: string[]): string[] {
	const known = new Set(labels.map((label) => label.toLowerCase()));
	const added = others.filter((label) => !known.has(label.toLowerCase()));
	return [...labels, ...added].slice(0, Math.max(labels.length, MAX_LABELS));
}

/** Returns what an import may change of a subscriber, as it is stored. */
function changeable(row: Row) {
	const { name, lastName, source, consent, hardBounces } = row;
	return {
		...{ name, source, consent, last_name: lastName, hard_bounces: hardBounces },
		active: Number(row.active),
		labels: JSON.stringify(row.labels),
		left_at: row.leftAt?.getTime() ?? null,
		paused_until: row.pausedUntil?.getTime() ?? null,
	};
}
