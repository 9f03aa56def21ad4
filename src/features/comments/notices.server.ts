import { and, asc, eq, gt, gte, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { comments, posts } from '#db/schema.ts';
import {
	headerLine,
	type Block,
	type EmailContent,
	type Link,
} from '#src/core/outbox/email-content.ts';
import { type Writer } from '#src/core/outbox/mail.server.ts';
import { ownerAddress } from '#src/core/session/account.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { COMMENT_MAIL_HOUR, type CommentMails } from '#src/core/settings/setting.ts';
import { HOUR } from '#src/lib/dates.ts';
import { dayIn, timeInZone } from '#src/lib/time-zones.ts';
import { getEnv } from '#src/lib/env.ts';
import { beginning } from '#src/lib/code-parts.ts';
import { plural } from '#src/lib/text.ts';
import { paths, site, siteSettings } from '#src/site.ts';
import { conversationLink, moderationLink, type Decision } from './links.server.ts';

/** Statements that queue what is told of a new comment: to the owner, and to those it answers. */
export function noticesOf(db: Db, id: string, timing: CommentMails, now: Date) {
	return [...ownerNotice(db, id, id, timing, now), noticeOfReplies(db, [id], now)];
}

/** Statements that queue what is told of an edited comment: to the owner, where it waits. */
export function noticesOfEdit(db: Db, id: string, timing: CommentMails, now: Date) {
	const waits = sql`and edited_at = ${now.getTime()} and approved = 0 and reviewed_at is null`;
	return ownerNotice(db, id, `${id} ${now.getTime()}`, timing, now, waits);
}

/** Returns the last and the next morning at which the owner is told, by the site's clock. */
function morningsAround(now: Date) {
	const zone = siteSettings().timeZone || getEnv().DIGEST_TIME_ZONE;
	const [before, today, next] = [-1, 0, 1].map((days) => {
		const date = dayIn(now, zone, days);
		return { date, at: timeInZone(date, COMMENT_MAIL_HOUR, zone) };
	}) as [Morning, Morning, Morning];
	return today.at > now ? ([before, today] as const) : ([today, next] as const);
}

type Morning = { date: string; at: Date };

function ownerNotice(
	db: Db,
	id: string,
	key: string,
	timing: CommentMails,
	now: Date,
	also: SQL = sql``,
) {
	if (timing === 'never') return [];
	const where = sql`exists (select 1 from comments where id = ${id} ${also})`;
	const shared = { kind: 'comment', recipient: ownerAddress(), where } as const;
	if (timing === 'at-once') return [enqueue(db, { ...shared, key, payload: { id } }, now)];
	const [last, { date, at }] = morningsAround(now);
	return [
		enqueue(
			db,
			{
				...shared,
				key: `day ${date}`,
				payload: { since: last.at.getTime(), until: at.getTime() },
				dueAt: sql`${at.getTime()}`,
			},
			now,
		),
	];
}

/** Returns when the author of comments in a thread was, or is to be, emailed about it the last time; 0 for never. */
const lastTold = (email: SQL, thread: SQL) =>
	sql`coalesce((select max(coalesce(o.delivered_at, o.due_at)) from outbox o
		where o.recipient = ${email} and o.kind in ('approved', 'answer')
			and json_extract(o.payload, '$.thread') = ${thread}), 0)`;

/** Returns when an email about a thread may leave: at most one an hour goes to an address. */
const nextSlot = (email: SQL, thread: SQL, now: Date) =>
	sql`max(${now.getTime()}, ${lastTold(email, thread)} + ${HOUR})`;

/** Statements that queue what is told once comments that waited are approved: of each comment once. */
export function noticesOfApproval(db: Db, ids: readonly string[], now: Date) {
	if (ids.length === 0) return [];
	const approved = enqueue(
		db,
		{
			kind: 'approved',
			key: sql`c.id`,
			recipient: sql`c.email`,
			payload: sql`json_object('ids', json(c.ids), 'thread', c.thread)`,
			dueAt: nextSlot(sql`c.email`, sql`c.thread`, now),
			each: sql`from (select min(id) as id, email, coalesce(parent_id, id) as thread, json_group_array(id) as ids
				from ${comments} where id in ${[...ids]} and notify and email <> ''
					and not exists (select 1 from outbox o, json_each(o.payload, '$.ids') told
						where o.recipient = email and o.kind = 'approved' and told.value = comments.id)
				group by email, coalesce(parent_id, id)) c`,
		},
		now,
	);
	return [approved, noticeOfReplies(db, ids, now)];
}

/**
 * Returns the statement that queues an email to each other who asked for one in the threads of these replies: at most
 * one an hour for a thread. What follows before it leaves is told with it.
 */
export function noticeOfReplies(db: Db, ids: readonly string[], now: Date) {
	const due = nextSlot(sql`asker.email`, sql`asker.thread`, now);
	return enqueue(
		db,
		{
			kind: 'answer',
			key: sql`asker.thread || ' ' || asker.email || ' ' || ${due}`,
			recipient: sql`asker.email`,
			payload: sql`json_object('id', asker.id, 'thread', asker.thread, 'since', ${now.getTime()})`,
			dueAt: due,
			each: sql`from (select min(asker.id) as id, asker.email, reply.parent_id as thread from ${comments} reply
				join ${comments} asker on (asker.id = reply.parent_id or asker.parent_id = reply.parent_id)
					and asker.email <> reply.email and asker.email <> '' and asker.notify and asker.approved
				where reply.id in ${[...ids]} and reply.approved group by asker.email, reply.parent_id) asker`,
			where: sql`not exists (select 1 from outbox o where o.recipient = asker.email and o.kind = 'answer'
				and o.due_at is not null and o.leased_until is null
				and json_extract(o.payload, '$.thread') = asker.thread)`,
		},
		now,
	);
}

type CommentRow = typeof comments.$inferSelect & { title: string; slug: string };

const shownOf = (db: Db) =>
	db
		.select({ comment: comments, title: posts.title, slug: posts.slug })
		.from(comments)
		.innerJoin(posts, eq(posts.id, comments.postId));

async function findComment(db: Db, id: string): Promise<CommentRow> {
	const [row] = await shownOf(db).where(and(eq(comments.id, id), isNull(comments.deletedAt)));
	if (!row) throw new WithdrawnError('The comment is not there any more.');
	return { ...row.comment, title: row.title, slug: row.slug };
}

/** The beginning of a comment for an inbox. */
const previewOf = (content: string) => headerLine(content.replace(/^```.*$/gm, ''), 120);

const addressOf = ({ id, slug }: { id: string; slug: string }) =>
	`${getEnv().SITE_URL}${encodeURI(paths.post(slug))}#comment-${id}`;

/** Writes the email to the owner about a new comment, or about those of a day. */
export function ownerWriter(db: Db): Writer {
	return async ({ payload }, now) => {
		const { id, since, until } = payload as { id?: string; since?: number; until?: number };
		if (id) return newCommentEmail(await findComment(db, id), now);
		const rows = await shownOf(db)
			.where(
				and(
					gte(comments.createdAt, new Date(since!)),
					lt(comments.createdAt, new Date(until!)),
					isNull(comments.deletedAt),
					eq(comments.byOwner, false),
					or(eq(comments.approved, true), isNull(comments.reviewedAt)),
				),
			)
			.orderBy(asc(comments.createdAt))
			.limit(100);
		if (rows.length === 0) throw new WithdrawnError('The comments are not there any more.');
		const count = plural(rows.length, 'comment');
		return {
			subject: `${count} in a day`,
			preview: headerLine(rows.map(({ comment }) => comment.author).join(', '), 120),
			label: 'Comments',
			title: `${count} in a day`,
			blocks: [
				{
					kind: 'entries',
					items: rows.map(({ comment, title, slug }) => ({
						title: `${headerLine(comment.author, 100)} on “${headerLine(title, 100)}”`,
						href: addressOf({ id: comment.id, slug }),
						label: stateOf(comment),
						text: beginning(comment.content, 500),
						links: [...decisionsOn(comment, now), answerLink(comment)],
					})),
				},
				{ kind: 'button', label: 'Open Comments', href: `${getEnv().SITE_URL}/admin?tab=comments` },
			],
			why: WHY_OWNER,
		};
	};
}

type Decided = Pick<CommentRow, 'id' | 'approved' | 'author' | 'updatedAt'>;

/** The decisions that the owner is offered on a comment. */
function decisionsOn(comment: Decided, now: Date): Link[] {
	const link = (label: string, decision: Decision) => ({
		label,
		href: moderationLink(comment, decision, now),
	});
	return [
		...(comment.approved ? [] : [link('Approve', 'approve')]),
		link('Hide', 'hide'),
		link(`Block ${headerLine(comment.author, 100)}`, 'block'),
	];
}

/** The comment at the desk, where an answer can be written at once. */
const answerLink = ({ id }: Pick<CommentRow, 'id'>): Link => ({
	label: 'Answer',
	href: `${getEnv().SITE_URL}/admin?${new URLSearchParams({ tab: 'comments', answer: id })}`,
});

const WHY_OWNER =
	'You get this because you own the site. Under Settings you choose when you hear of comments.';

const stateOf = ({ approved, reviewedAt }: Pick<CommentRow, 'approved' | 'reviewedAt'>) =>
	approved ? 'visible' : reviewedAt ? 'hidden' : 'waits for you';

function newCommentEmail(comment: CommentRow, now: Date): EmailContent {
	const { author, email, content, title, approved, editedAt } = comment;
	const name = headerLine(author, 100);
	const article = headerLine(title, 100);
	const decisions = decisionsOn(comment, now);
	const [first, ...others] = approved
		? [answerLink(comment), ...decisions, { label: 'See it on the page', href: addressOf(comment) }]
		: [...decisions, answerLink(comment)];
	return {
		subject: headerLine(
			approved ? `${name} commented on “${article}”` : `A comment of ${name} waits for you`,
		),
		preview: previewOf(content),
		label: `Comment · ${stateOf(comment)}${editedAt ? ', edited' : ''}`,
		title: approved ? 'A new comment' : 'A comment waits for you',
		blocks: [
			{
				kind: 'facts',
				items: [
					['From', name],
					['Email', email],
					['Article', article],
				],
			},
			{ kind: 'quote', text: content },
			{ kind: 'button', ...first },
			{ kind: 'links', items: others },
		],
		why: WHY_OWNER,
	};
}

/** Writes the email to a commenter whose comments in a thread were approved. */
export function approvedWriter(db: Db): Writer {
	return async ({ payload }) => {
		const { ids = [], id = '' } = payload as { ids?: string[]; id?: string };
		const rows = await shownOf(db)
			.where(
				and(
					inArray(comments.id, [id, ...ids]),
					eq(comments.approved, true),
					eq(comments.notify, true),
				),
			)
			.orderBy(asc(comments.createdAt));
		const [first] = rows;
		if (!first) throw new WithdrawnError('It is not wanted any more, or the comment is hidden.');
		const { title, slug } = first;
		const [what, are] = rows.length === 1 ? ['comment', 'is'] : ['comments', 'are'];
		return {
			subject: headerLine(`Your ${what} on “${title}” ${are} public`),
			preview: previewOf(first.comment.content),
			label: `Your ${what}`,
			title: `Your ${what} ${are} public`,
			blocks: [
				...rows.map(({ comment }): Block => ({ kind: 'quote', text: comment.content })),
				{
					kind: 'button',
					label: rows.length === 1 ? 'See it on the page' : 'See them on the page',
					href: addressOf({ id: first.comment.id, slug }),
				},
			],
			...askedFor({ ...first.comment, title }),
		};
	};
}

/** Writes the email to a commenter in whose thread others have replied since. */
export function answerWriter(db: Db): Writer {
	return async ({ payload }) => {
		const { id, since } = payload as { id: string; since: number };
		const asker = await findComment(db, id);
		const thread = asker.parentId ?? asker.id;
		const replies = await db
			.select()
			.from(comments)
			.where(
				and(
					eq(comments.parentId, thread),
					eq(comments.approved, true),
					ne(comments.email, asker.email),
					or(
						gte(comments.createdAt, new Date(since)),
						gt(comments.reviewedAt, new Date(since - 1)),
					),
				),
			)
			.orderBy(asc(comments.createdAt))
			.limit(20);
		if (!asker.notify || replies.length === 0)
			throw new WithdrawnError('It is not wanted any more, or the replies are gone.');
		const names = [...new Set(replies.map(({ author }) => headerLine(author, 100)))];
		return {
			subject: headerLine(`${names.join(', ')} answered on “${asker.title}”`),
			preview: previewOf(replies[0]!.content),
			label: `On “${headerLine(asker.title, 100)}”`,
			title:
				replies.length === 1
					? `${names[0]} answered you`
					: `${replies.length} answers in your thread`,
			blocks: [
				...replies.flatMap((reply): Block[] => [
					...(replies.length > 1
						? [{ kind: 'text' as const, text: `${headerLine(reply.author, 100)}:` }]
						: []),
					{ kind: 'quote', text: reply.content },
				]),
				{
					kind: 'button',
					label: 'Open the conversation',
					href: addressOf({ id: replies[0]!.id, slug: asker.slug }),
				},
			],
			...askedFor(asker),
		};
	};
}

const askedFor = ({ id, title }: Pick<CommentRow, 'id' | 'title'>) => ({
	why: `You get this because you asked for it when you commented on “${title}” at ${site.name}.`,
	links: { leave: conversationLink(id) },
});

/** Stops the emails about the thread of a comment to its author. Returns the article. */
export async function stopNotices(db: Db, id: string): Promise<{ title: string } | null> {
	const [comment] = await shownOf(db).where(eq(comments.id, id));
	if (!comment) return null;
	const { postId, email } = comment.comment;
	const own = await db
		.select({ id: comments.id })
		.from(comments)
		.where(and(eq(comments.postId, postId), eq(comments.email, email)));
	await db
		.update(comments)
		.set({ notify: false })
		.where(
			inArray(
				comments.id,
				own.map((one) => one.id),
			),
		);
	return { title: comment.title };
}
