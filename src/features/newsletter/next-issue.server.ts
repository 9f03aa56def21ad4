import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#db/client.ts';
import { issues, letters, meta, posts, settings } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { renderOrPlain } from '#src/core/articles/render.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { getMeta } from '#src/core/meta.server.ts';
import type { EmailContent } from '#src/core/outbox/email-content.ts';
import { readerLinks, type Writer } from '#src/core/outbox/mail.server.ts';
import { ownerAddress } from '#src/core/session/account.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { BROKEN_LINK, type Screen } from '#src/core/screen.ts';
import { getSite } from '#src/core/settings/site.server.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import type { DigestView, TestEmail } from '#src/features/mail/deliveries.ts';
import { listCorrections } from '#src/features/posts/changes.server.ts';
import { DAY, longDate } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { paths, site } from '#src/site.ts';
import {
	issueEmail,
	issueSubject,
	lastSlot,
	nextSlot,
	type Issue,
	type IssuePost,
	type Schedule,
	type Words,
} from './issue.ts';
import { correctionsUntil, selectNews, selectPosts, withLead } from './issues.server.ts';
import {
	countReaders,
	heldUntil,
	letterEmail,
	listLetters,
	type LetterWords,
	type UpcomingIssue,
} from './letters.server.ts';
import {
	issueLink,
	LETTER_MODES,
	MISSED,
	type IssuePage,
	type NextIssue,
	type NextIssueForm,
} from './next-issue.ts';

/** Key of `meta`: until when posts are covered by earlier issues, or existed before the site started. */
const COVERED_UNTIL_KEY = 'digest_told_until';
/** Key of `settings`. */
const KEY = 'next-issue';

/** The next issue as it is stored. A part that cannot be read is as if it were not there. */
const storedIssue = z.object({
	version: z.catch(z.number(), 1),
	mode: z.catch(z.enum(LETTER_MODES), 'auto'),
	/** The mode after an issue that is skipped. */
	usual: z.catch(z.enum(['auto', 'ask']), 'auto'),
	subject: z.catch(z.string(), ''),
	preview: z.catch(z.string(), ''),
	note: z.catch(z.string(), ''),
	/** The note, ready for email. */
	words: z.catch(z.object({ html: z.string(), text: z.string() }), { html: '', text: '' }),
	/** Ids of articles in the order that was given to them; others follow by date. */
	posts: z.catch(z.array(z.string()), []),
	leftOut: z.catch(z.array(z.string()), []),
	links: z.catch(z.array(issueLink), []),
	/** ISO time of the latest slot that was skipped or asked about. */
	handled: z.catch(z.string(), ''),
	/** The issue that waits for approval: its date, and when it was asked about. */
	asked: z.catch(z.nullable(z.object({ date: z.string(), at: z.string() })), null),
	/** The latest issue that did not go out. */
	missed: z.catch(z.nullable(z.object({ date: z.string(), why: z.enum(MISSED) })), null),
});
type StoredIssue = z.infer<typeof storedIssue>;

export async function readStored(db: Db): Promise<StoredIssue> {
	const [row] = await db
		.select(tolerant({ value: settings.value }))
		.from(settings)
		.where(eq(settings.key, KEY));
	const value = row?.value;
	return storedIssue.parse(typeof value === 'object' && value !== null ? value : {});
}

/** Returns a statement for a new site: nothing goes out before its owner has approved it, or chosen otherwise. */
export const askBeforeIssues = (db: Db) =>
	db
		.insert(settings)
		.values({ key: KEY, value: { version: 1, mode: 'ask', usual: 'ask' } })
		.onConflictDoNothing();

/** Returns the statement that stores the next issue, unless another version was stored since. */
function store(db: Db, before: StoredIssue, changes: Partial<StoredIssue>, now: Date) {
	const value = { ...before, ...changes, version: before.version + 1 };
	return db
		.insert(settings)
		.values({ key: KEY, value, updatedAt: now })
		.onConflictDoUpdate({
			target: settings.key,
			set: { value, updatedAt: now },
			setWhere: sql`coalesce(${settings.value} ->> '$.version', 1) = ${before.version}`,
		})
		.returning({ key: settings.key });
}

export async function scheduleOf(db: Db): Promise<Schedule> {
	const { DIGEST_HOUR, DIGEST_TIME_ZONE } = getEnv();
	const { timeZone } = await getSite(db);
	const { letterCadence: cadence, letterDay: day, letterHour } = await getSettings(db);
	return {
		...{ cadence, day, hour: letterHour === '' ? DIGEST_HOUR : Number(letterHour) },
		timeZone: timeZone || DIGEST_TIME_ZONE,
	};
}

/** Returns whether a day already has its issue, which went out before the hour was moved to a later one. */
const hasIssue = async (db: Db, date: string) =>
	(await db.$count(issues, eq(issues.date, date))) > 0;

/** Returns date and time of the next issue. */
async function comingSlot(db: Db, now: Date) {
	const schedule = await scheduleOf(db);
	const slot = nextSlot(now, schedule);
	return (await hasIssue(db, slot.date)) ? nextSlot(slot.at, schedule) : slot;
}

/** The articles of the next issue in their order, and new ones that are left out. */
type Selection = { chosen: IssuePost[]; leftOut: IssuePost[] };

/** Selects from what was published after `since`, and what was put in. `until` leaves out what is newer and was not. */
async function select(
	db: Db,
	{ posts: order, leftOut }: StoredIssue,
	since: Date,
	now: Date,
	until = now,
): Promise<Selection> {
	const news = await selectNews(db, now, since);
	const picked = await selectPosts(db, now, inArray(posts.id, ['', ...order]));
	const late = new Set(
		until < now
			? (await selectPosts(db, now, gt(posts.publishedAt, until))).map(({ id }) => id)
			: [],
	);
	const first = order.flatMap((id) => picked.find((post) => post.id === id) ?? []);
	const rest = news.filter(({ id }) => !order.includes(id) && !late.has(id));
	return {
		chosen: [...first, ...rest.filter(({ id }) => !leftOut.includes(id))],
		leftOut: rest.filter(({ id }) => leftOut.includes(id)),
	};
}

async function coveredUntil(db: Db): Promise<string | undefined> {
	return getMeta(db, COVERED_UNTIL_KEY);
}

/**
 * Does what is due at the latest slot: creates the issue, asks the owner about it, or skips it. Once per slot, later if
 * the schedule was down, and nothing without news. The very first call only stores the time, so that a new site does
 * not email its whole past. Returns the new issue, or null.
 */
export async function createIssue(db: Db, now: Date): Promise<Issue | null> {
	const covered = await coveredUntil(db);
	if (covered === undefined) {
		await db
			.insert(meta)
			.values({ key: COVERED_UNTIL_KEY, value: now.toISOString() })
			.onConflictDoNothing();
		return null;
	}
	const slot = lastSlot(now, await scheduleOf(db));
	if (new Date(covered) >= slot.at) return null;
	const stored = await readStored(db);
	if (stored.handled && new Date(stored.handled) >= slot.at) return null;
	if (await hasIssue(db, slot.date)) return null;
	const handled = slot.at.toISOString();
	if (stored.mode === 'skip') {
		const missed = { date: slot.date, why: 'skipped' as const };
		await store(db, stored, { mode: stored.usual, handled, asked: null, missed }, now);
		return null;
	}
	const { chosen } = await select(db, stored, new Date(covered), now);
	if (chosen.length === 0 && stored.note === '' && stored.links.length === 0) {
		const missed = { date: slot.date, why: 'nothing' as const };
		await db.batch([advance(db, covered, now), store(db, stored, { missed }, now)]);
		return null;
	}
	if (stored.mode === 'ask') {
		await db.batch([
			store(db, stored, { handled, asked: { date: slot.date, at: now.toISOString() } }, now),
			enqueue(
				db,
				{
					kind: 'approval',
					key: slot.date,
					recipient: ownerAddress(),
					payload: { date: slot.date },
				},
				now,
			),
		]);
		return null;
	}
	const held = await heldUntil(db, slot.date, now);
	if (held && held > now) return null;
	return issue(db, slot.date, stored, chosen, { covered, until: now }, now);
}

/** Compare-and-set: if another worker already issued these posts, newer ones go to the next issue. */
const advance = (db: Db, covered: string, until: Date) =>
	db
		.update(meta)
		.set({ value: until.toISOString() })
		.where(and(eq(meta.key, COVERED_UNTIL_KEY), eq(meta.value, covered)));

/** Stores an issue and its letter, and begins the next one. */
async function issue(
	db: Db,
	date: string,
	stored: StoredIssue,
	chosen: IssuePost[],
	{ covered, until }: { covered: string; until: Date },
	now: Date,
	actor?: string,
): Promise<Issue> {
	const { note, words, preview, links } = stored;
	const subject = stored.subject || issueSubject(chosen);
	const made = { date, subject, posts: chosen };
	const isOut = await selectPosts(db, now, inArray(posts.id, ['', ...stored.leftOut]));
	// An article that is published later stays left out of the issue after that.
	const leftOut = stored.leftOut.filter((one) => !isOut.some(({ id }) => id === one));
	await db.batch([
		db
			.insert(issues)
			.values({ ...made, createdAt: now })
			.onConflictDoNothing(),
		db
			.insert(letters)
			.values({ id: date, subject, preview, content: note, ...words, links, createdAt: now })
			.onConflictDoNothing(),
		advance(db, covered, until),
		store(
			db,
			stored,
			{
				...{ subject: '', preview: '', note: '', words: { html: '', text: '' } },
				...{ posts: [], leftOut, links: [], asked: null, missed: null },
			},
			now,
		),
		...(actor
			? [
					auditStatement(
						db,
						{ actor, action: 'approved an issue', subject: `issue ${date}`, detail: subject },
						now,
					),
				]
			: []),
		...requestBuild(db, `Issue of ${date}`, now, [paths.issue(date)]),
	]);
	return made;
}

/** Returns the next issue as the owner edits it. */
export async function getNextIssue(db: Db, now: Date): Promise<NextIssue> {
	const stored = await readStored(db);
	const { version, mode, subject, preview, note, links, asked, missed } = stored;
	const covered = await coveredUntil(db);
	const { chosen, leftOut } = await select(db, stored, new Date(covered ?? now), now);
	const brief = ({ id, slug, title }: IssuePost) => ({ id, slug, title });
	const readers = await countReaders(db, now);
	return {
		...{ version, mode, subject, preview, note, links, missed },
		posts: chosen.map(({ id }) => id),
		at: (await comingSlot(db, now)).at.toISOString(),
		timeZone: (await scheduleOf(db)).timeZone,
		articles: chosen.map(brief),
		leftOut: leftOut.map(brief),
		usual: {
			subject: issueSubject(chosen),
			preview: chosen.map(({ title }) => title).join(' · '),
		},
		waiting: asked && { date: asked.date, since: asked.at },
		recipients: readers.weekly,
		readers,
	};
}

/** Stores what the owner changed of the next issue, its note as prepared words; missing fields keep their values. */
export async function updateNextIssue(
	db: Db,
	{
		version,
		...form
	}: { [Key in keyof NextIssueForm]?: NextIssueForm[Key] | undefined } & {
		version?: number | undefined;
	},
	words: (Words & { content: string }) | undefined,
	actor: string,
	now: Date,
): Promise<NextIssue> {
	const stored = await readStored(db);
	const overtaken = async () =>
		new AppError('conflict', 'The issue was changed elsewhere since you opened it.', {
			stored: await getNextIssue(db, now),
		});
	if (version !== undefined && version !== stored.version) throw await overtaken();
	const changes: Partial<StoredIssue> = {};
	for (const name of ['subject', 'preview'] as const) {
		const value = form[name];
		if (value !== undefined) changes[name] = value;
	}
	if (words) {
		const { content, ...email } = words;
		changes.note = content;
		changes.words = email;
	}
	if (form.mode !== undefined) {
		changes.mode = form.mode;
		if (form.mode !== 'skip') changes.usual = form.mode;
		else if (stored.asked) {
			// The issue that waits is the one that is skipped.
			changes.mode = stored.usual;
			changes.asked = null;
			changes.missed = { date: stored.asked.date, why: 'skipped' };
		}
	}
	if (form.links !== undefined) changes.links = form.links;
	if (form.posts !== undefined) {
		const found = await selectPosts(db, now, inArray(posts.id, ['', ...form.posts]));
		if (form.posts.some((id) => !found.some((post) => post.id === id))) {
			const fields = { posts: 'One of these articles is not public any more. Take it out.' };
			throw invalid(fields);
		}
		const covered = await coveredUntil(db);
		const news = await selectNews(db, now, new Date(covered ?? now));
		changes.posts = [...new Set(form.posts)];
		// Those that are not public yet stay left out.
		const left = [...new Set([...news.map(({ id }) => id), ...stored.leftOut])];
		changes.leftOut = left.filter((id) => !changes.posts!.includes(id));
	}
	const [rows] = await db.batch([
		store(db, stored, changes, now),
		auditStatement(
			db,
			{
				actor,
				action: 'changed the next issue',
				subject: 'newsletter',
				detail: Object.keys(changes).join(', '),
			},
			now,
		),
	]);
	if (rows.length === 0) throw await overtaken();
	return getNextIssue(db, now);
}

/** Takes a post into the issue that follows its publication, or leaves it out. Returns null if there is no such post. */
export async function placeInIssue(
	db: Db,
	id: string,
	isIn: boolean,
	{ actor, now }: Actor,
): Promise<{ id: string; isIn: boolean } | null> {
	const [post] = await db
		.select(tolerant({ title: posts.title }))
		.from(posts)
		.where(and(eq(posts.id, id), isNull(posts.deletedAt)));
	if (!post) return null;
	for (;;) {
		const stored = await readStored(db);
		const leftOut = stored.leftOut.filter((one) => one !== id);
		if (!isIn) leftOut.push(id);
		else if (leftOut.length === stored.leftOut.length) return { id, isIn };
		const order = isIn ? stored.posts : stored.posts.filter((one) => one !== id);
		const detail = `${isIn ? 'with' : 'without'} “${post.title}”`;
		const [rows] = await db.batch([
			store(db, stored, { leftOut, posts: order }, now),
			auditStatement(
				db,
				{ actor, action: 'changed the next issue', subject: 'newsletter', detail },
				now,
			),
		]);
		if (rows.length > 0) return { id, isIn };
	}
}

/** Sends the issue of this date that waits for approval, or whichever waits. Returns its date. */
export async function approveIssue(
	db: Db,
	date: string | undefined,
	actor: string,
	now: Date,
): Promise<{ date: string }> {
	const stored = await readStored(db);
	const covered = await coveredUntil(db);
	const { asked } = stored;
	if (!asked || covered === undefined || (date !== undefined && date !== asked.date))
		throw new AppError('conflict', 'No issue waits for your approval.');
	const until = new Date(asked.at);
	const { chosen } = await select(db, stored, new Date(covered), now, until);
	await issue(db, asked.date, stored, chosen, { covered, until }, now, actor);
	return { date: asked.date };
}

/** Returns the issue that comes by itself, or is asked about, within a day of a time. */
export async function upcomingIssue(db: Db, at: Date, now: Date): Promise<UpcomingIssue | null> {
	const schedule = await scheduleOf(db);
	const slot = lastSlot(new Date(at.getTime() + DAY), schedule);
	const isNear = slot.at.getTime() > at.getTime() - DAY && slot.at > now;
	if (!isNear) return null;
	const isSkipped =
		(await readStored(db)).mode === 'skip' && slot.date === nextSlot(now, schedule).date;
	return isSkipped ? null : { date: slot.date };
}

/** How long a link in an email approves. */
const LINK_DAYS = 30;

export function approvalLink(date: string, now: Date): string {
	const token = seal(getSecret(), 'approve', `${date} ${now.getTime() + LINK_DAYS * DAY}`);
	return `${getEnv().SITE_URL}/letters/approve?token=${token}`;
}

/** Returns the date of the issue that a token approves. Throws if it is forged or has expired. */
export function readApprovalToken(token: string, now: Date): string {
	const [date, until] = unseal(getSecret(), 'approve', token)?.split(' ') ?? [];
	const refuse = (words: string) => invalid({ token: words });
	if (!date) throw refuse(BROKEN_LINK);
	if (now.getTime() > Number(until))
		throw refuse('This link has expired. The issue is under Newsletter at the desk.');
	return date;
}

const notWaiting: Screen = {
	title: 'Nothing waits for your approval',
	sections: [
		{
			text: 'This issue was sent or skipped since, or a later one took its place. Nothing was changed.',
			choices: [],
		},
	],
};

/** Returns the page behind the link to approve the issue of a date. Changes nothing. */
export async function showApproval(db: Db, date: string, now: Date): Promise<Screen> {
	const stored = await readStored(db);
	if (stored.asked?.date !== date) return notWaiting;
	const { chosen } = await select(
		db,
		stored,
		new Date((await coveredUntil(db))!),
		now,
		new Date(stored.asked.at),
	);
	const { weekly: recipients } = await countReaders(db, now);
	const held = await heldUntil(db, date, now);
	return {
		title: `Send the issue of ${longDate(date)}?`,
		sections: [
			{
				title: stored.subject || issueSubject(chosen),
				text: chosen.map(({ title }) => title).join(' · '),
				choices: [],
			},
			{
				text: `It goes to ${plural(recipients, 'subscriber')}.${held && held > now ? ' Some of them had another letter less than a day ago.' : ''}`,
				choices: [{ value: '', label: 'Send it' }],
			},
		],
	};
}

/** Sends the issue of a date, by its link. Using the link again changes nothing. */
export async function approveByLink(db: Db, date: string, now: Date): Promise<Screen> {
	try {
		await approveIssue(db, date, 'a link in an email', now);
	} catch (error) {
		if (error instanceof AppError && error.code === 'conflict') return notWaiting;
		throw error;
	}
	return {
		title: 'The issue goes out',
		sections: [
			{
				text: 'Its page is being built, and then its emails leave. Newsletter at the desk shows how far it is, and can pause or stop it.',
				choices: [],
			},
		],
	};
}

/** Writes the email that asks the owner about an issue. */
export function approvalWriter(db: Db): Writer {
	return async ({ payload }, now) => {
		const { date } = payload as { date: string };
		const stored = await readStored(db);
		const covered = await coveredUntil(db);
		if (stored.asked?.date !== date || covered === undefined)
			throw new WithdrawnError('The issue does not wait any more.');
		const made = await issueOf(db, stored, date, new Date(covered), now, new Date(stored.asked.at));
		const letter = issueEmail(made, getEnv().SITE_URL, { leave: '' }, false);
		return {
			subject: `To approve: ${made.subject}`,
			preview: 'Nothing goes out before you approve it.',
			label: letter.label,
			title: 'An issue waits for you',
			blocks: [
				{ kind: 'text', text: 'This is the next issue. It goes out once you approve it.' },
				{ kind: 'button', label: 'Look and approve', href: approvalLink(date, now) },
				{
					kind: 'links',
					items: [
						{ label: 'Edit it at the desk', href: `${getEnv().SITE_URL}/admin?tab=newsletter` },
					],
				},
				{ kind: 'facts', items: [['Subject', made.subject]] },
				...letter.blocks.slice(0, -1),
			],
			why: 'You get this because the newsletter asks you before an issue goes out. Under Newsletter you choose that.',
		};
	};
}

/** Returns the next issue with everything that its letter says. */
async function issueOf(
	db: Db,
	stored: StoredIssue,
	date: string,
	since: Date,
	now: Date,
	until = now,
): Promise<Issue> {
	const { chosen } = await select(db, stored, since, now, until);
	return {
		date,
		subject: stored.subject || issueSubject(chosen),
		preview: stored.preview,
		posts: await withLead(db, chosen, now),
		links: stored.links,
		corrections: await correctionsUntil(db, await listCorrections(db, now), now),
		...(stored.note && { note: stored.words }),
	};
}

/** Returns the next issue as of now, as a letter to one reader. */
export async function nextIssueEmail(db: Db, recipient: string, now: Date): Promise<EmailContent> {
	const env = { ...getEnv(), SECRET: getSecret() };
	const links = readerLinks(env, 'weekly', recipient);
	const { date } = await comingSlot(db, now);
	const since = new Date((await coveredUntil(db)) ?? now);
	const made = await issueOf(db, await readStored(db), date, since, now);
	return issueEmail(made, env.SITE_URL, links, false);
}

const NO_WORDS = { preview: '', html: '', text: '' };

/** Writes the admin's test emails: a short one, the next issue, or a letter that is being written. */
export function testWriter(db: Db): Writer {
	return async ({ recipient, payload }, now) => {
		const { what, ...letter } = payload as { what: TestEmail } & Partial<LetterWords>;
		if (what === 'digest') return nextIssueEmail(db, recipient!, now);
		if (what === 'letter') return draftLetter(letter, recipient!, now);
		return {
			subject: `A test from ${site.name}`,
			preview: 'Email works.',
			label: 'Test',
			title: 'Email works',
			blocks: [{ kind: 'text', text: "This email was sent in the same way as readers' emails." }],
			why: 'You get this because you asked for it in the admin area.',
		};
	};
}

/** Returns a letter that is being written as its email to the owner. */
export function draftLetter(
	draft: Partial<LetterWords>,
	recipient: string,
	now: Date,
): ReturnType<typeof letterEmail> {
	const env = { ...getEnv(), SECRET: getSecret() };
	const { leave, preferences } = readerLinks(env, 'weekly', recipient);
	const subject = draft.subject || 'A letter without a subject';
	return letterEmail({ ...NO_WORDS, ...draft, subject }, 'test', now, { leave, preferences });
}

/** Returns the next issue as of now, as its page will show it. */
export async function nextIssuePage(db: Db, now: Date): Promise<IssuePage> {
	const stored = await readStored(db);
	const { date } = await comingSlot(db, now);
	const since = new Date((await coveredUntil(db)) ?? now);
	const { posts: told, links = [], corrections = [] } = await issueOf(db, stored, date, since, now);
	const words = stored.note && (await renderOrPlain(stored.note)).html;
	return { date, words, posts: told, links, corrections };
}

/** Number of issues in the answer of `getDigest`. */
const SHOWN_ISSUES = 8;

/** Returns the next issue and the state of the latest ones, for the admin. */
export async function getDigest(db: Db, now: Date): Promise<DigestView> {
	const { at, articles, subject, usual, recipients } = await getNextIssue(db, now);
	const latest = (await listLetters(db, now)).filter(({ isIssue }) => isIssue);
	const shown = await db
		.select(tolerant({ date: issues.date, posts: issues.posts }))
		.from(issues)
		.where(inArray(issues.date, ['', ...latest.map(({ id }) => id)]))
		.orderBy(desc(issues.date))
		.limit(SHOWN_ISSUES);
	return {
		next: {
			at,
			subject: subject || usual.subject,
			posts: articles.map(({ title, slug }) => ({ title, slug })),
		},
		subscribers: recipients,
		issues: shown.map(({ date, posts: told }) => {
			const letter = latest.find(({ id }) => id === date)!;
			return {
				date,
				subject: letter.subject,
				posts: told.length,
				queued: letter.recipients,
				delivered: letter.delivered,
				failed: letter.failed,
				isQueued: letter.state !== 'queueing',
			};
		}),
	};
}
