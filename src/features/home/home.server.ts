import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { pages, subscribers } from '#db/schema.ts';
import type { BuildView } from '#src/core/builds/builds.api.ts';
import { listBuilds } from '#src/core/builds/builds.server.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { DELIVERY_KINDS, isMail } from '#src/core/outbox/kinds.ts';
import { countNewComments, listAllComments } from '#src/features/comments/moderation.server.ts';
import { listUnread } from '#src/features/contact/messages.server.ts';
import { listFailed } from '#src/features/mail/deliveries.server.ts';
import { listPending, listSent } from '#src/features/newsletter/letters.server.ts';
import { getNextIssue } from '#src/features/newsletter/next-issue.server.ts';
import { countSince } from '#src/features/newsletter/subscribers.server.ts';
import {
	hasOwnPosts,
	listBegun,
	listDuePosts,
	listEdited,
	listPublished,
	listScheduled,
} from '#src/features/posts/at-hand.server.ts';
import { getFigures } from '#src/features/visits/figures.server.ts';
import { DAY, isoDay } from '#src/lib/dates.ts';
import { shorten, singleLine } from '#src/lib/text.ts';
import { newsSince, visits, visitsAfter, type Home, type Step, type Visits } from './home.ts';

/** Rows of each kind: what else waits is in its list. */
const SHOWN = 3;
const EDITED = 6;
const EXCERPT = 120;
/** An email that failed waits this long: then its reader has waited too long for another try. */
const FAILED_MS = 7 * DAY;
/** A post that is scheduled waits to be looked at on its last day. */
const COMING_MS = DAY;

const EMAIL_KINDS = Object.keys(DELIVERY_KINDS).filter(isMail);

/** Returns what the desk begins with. */
export async function getHome(db: Db, now: Date): Promise<Home> {
	const known = await readVisits(db);
	const since = newsSince(known, now);
	const start = new Date(since.at);
	const [waits, writing, happened, steps] = await Promise.all([
		readWaits(db, now),
		listEdited(db, EDITED, now),
		readHappened(db, start, now),
		openSteps(db),
	]);
	return { at: now.toISOString(), waits, writing, since, happened, steps };
}

async function readWaits(db: Db, now: Date): Promise<Home['waits']> {
	const [issue, letters, [build], comments, messages, reviews, mail, scheduled] = await Promise.all(
		[
			getNextIssue(db, now),
			listPending(db, SHOWN),
			listBuilds(db),
			listAllComments(db, { state: 'waiting', sort: 'created', q: '', page: 1 }),
			listUnread(db, SHOWN),
			listDuePosts(db, SHOWN, now),
			listFailed(db, EMAIL_KINDS, SHOWN, new Date(+now - FAILED_MS)),
			listScheduled(db, SHOWN, new Date(+now + COMING_MS), now),
		],
	);
	const { at, timeZone, mode, waiting, recipients, articles, note, links } = issue;
	const isEmpty = articles.length === 0 && note === '' && links.length === 0;
	return {
		issue:
			waiting || !isEmpty || recipients > 0
				? {
						...{ at, timeZone, mode, waiting, recipients, isEmpty },
						...{ articles: articles.length, hasWords: note !== '' },
					}
				: null,
		build: unfinished(build),
		comments: {
			total: comments.total,
			rows: comments.rows.slice(0, SHOWN).map(({ id, author, content, post, createdAt }) => ({
				...{ id, author, title: post.title, at: createdAt },
				excerpt: shorten(singleLine(content), EXCERPT),
			})),
		},
		...{ letters, messages, reviews, mail, scheduled },
	};
}

/** Returns the newest build, unless readers see it. */
function unfinished(build: BuildView | undefined): Home['waits']['build'] {
	if (!build || build.state === 'live') return null;
	const { state, cause, doing, reason } = build;
	return { state, cause, doing, reason };
}

async function readHappened(db: Db, since: Date, now: Date): Promise<Home['happened']> {
	const [published, letters, readers, comments, read, drafts] = await Promise.all([
		listPublished(db, SHOWN, since, now),
		listSent(db, since, SHOWN),
		countSince(db, since),
		countNewComments(db, since),
		getFigures(db, { by: 'article', format: 'json', from: isoDay(since), to: isoDay(now) }, now),
		listBegun(db, SHOWN, since),
	]);
	return {
		...{ published, letters, readers, comments, drafts },
		read: read.rows
			.slice(0, SHOWN)
			.map(({ key, label, views }) => ({ key, label: String(label), views: Number(views) })),
	};
}

/** Pages that come with the site, and that its owner answers for. */
const LEGAL = ['terms', 'privacy'];

/** Returns the first steps that are open. Whoever has articles and readers is under way. */
async function openSteps(db: Db): Promise<Step[]> {
	if ((await getMeta(db, 'setup')) !== 'done') return [];
	const [hasPosts, people, unread] = await Promise.all([
		hasOwnPosts(db),
		db.select({ id: subscribers.id }).from(subscribers).limit(1),
		db.$count(pages, and(inArray(pages.slug, LEGAL), eq(pages.version, 1))),
	]);
	const hasReaders = people.length > 0;
	if (hasPosts && hasReaders) return [];
	return [
		...(hasPosts ? [] : (['write'] as const)),
		...(hasReaders ? [] : (['subscribers'] as const)),
		...(hasPosts ? [] : (['articles'] as const)),
		...(unread > 0 ? (['terms'] as const) : []),
	];
}

async function readVisits(db: Db): Promise<Visits | null> {
	try {
		return visits.parse(JSON.parse((await getMeta(db, 'visits')) ?? ''));
	} catch {
		return null;
	}
}

/** Notes that the home was seen, and that the first steps are no longer wanted if they say so. */
export async function noteVisit(
	db: Db,
	{ endsSteps = false }: { endsSteps?: boolean | undefined },
	now: Date,
): Promise<{ last: string }> {
	const next = visitsAfter(await readVisits(db), now);
	await db.batch([
		setMeta(db, 'visits', JSON.stringify(next)),
		...(endsSteps ? [setMeta(db, 'setup', 'over')] : []),
	]);
	return { last: next.last };
}
