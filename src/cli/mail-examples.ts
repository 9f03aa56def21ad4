/** Every kind of email, written from examples: for looking at them, and for the test of what they say. */
import { migrateDb, openDb } from '#db/local.ts';
import {
	categories,
	comments,
	letters,
	meta,
	posts as postTable,
	subscribers,
} from '#db/schema.ts';
import { writersOf } from '#functions/lib/email-writers.ts';
import { confirmEmail, wordsOf } from '#src/features/confirmation/confirmation.ts';
import { messageEmail, replyEmail } from '#src/features/contact/contact.server.ts';
import { lessonEmail } from '#src/features/course/course.ts';
import { readLessons } from '#src/features/course/lessons.server.ts';
import { downloadEmail, UPGRADES } from '#src/features/downloads/download.ts';
import type { EmailContent } from '#src/core/outbox/email-content.ts';
import type { MailKind } from '#src/core/outbox/kinds.ts';
import type { RenderedEmail } from '#src/core/outbox/mail.server.ts';
import type { Delivery } from '#src/core/outbox/outbox.server.ts';
import { subjectOf, titleOf } from '#src/features/newsletter/cadence.ts';
import {
	issueEmail,
	issueSubject,
	welcomeEmail,
	type IssuePost,
} from '#src/features/newsletter/issue.ts';
import { createIssue, updateNextIssue } from '#src/features/newsletter/next-issue.server.ts';
import { prepareWords } from '#src/features/newsletter/words.server.ts';
import { accountChangeEmail, resetEmail, signInEmail } from '#src/core/session/sign-in-emails.ts';
import { dataEmail } from '#src/features/privacy/privacy.ts';
import { DAY } from '#src/lib/dates.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';

const SITE = 'http://127.0.0.1:8888';
const links = {
	leave: `${SITE}/unsubscribe?token=preview`,
	preferences: `${SITE}/preferences?token=preview`,
	course: `${SITE}/course?token=preview`,
};
const posts = [
	[
		'Data leakage in five disguises',
		'Five ways a test score lies, each with the ten lines that show it.',
		'Machine Learning',
		9,
	],
	[
		'Attention in plain arithmetic',
		'One attention head, three words, and every multiplication written out.',
		'Large Language Models',
		11,
	],
	[
		'What a confidence interval promises',
		'And what it does not, by simulation.',
		'Data Science',
		7,
	],
].map(
	([title, excerpt, category, minutes], index) =>
		({ id: String(index), slug: `post-${index}`, title, excerpt, category, minutes }) as IssuePost,
);

const message = {
	name: 'Ada King',
	topic: 'Request your state',
	message: 'Guam is missing.\n\nIt has a university with a robotics laboratory.',
} as const;

async function previewLetters(): Promise<Record<string, EmailContent>> {
	const lessons = await readLessons();
	const issue = { date: '2026-03-05', subject: issueSubject(posts), posts };
	const id = 'month-2026-03-05';
	const told = { subject: subjectOf(id, posts), title: titleOf(id, posts.length), posts };
	const month = { date: id, day: issue.date, ...told };
	const lesson = lessons.map((lesson, index) => [
		`lesson-${index + 1}`,
		lessonEmail(index + 1, lesson, SITE, links),
	]);
	const downloads = UPGRADES.map((kind) => [
		`download-${kind}`,
		downloadEmail(kind, `${SITE}/api/downloads/preview`, links),
	]);
	return {
		welcome: welcomeEmail(posts, SITE, links, 'on Thursdays'),
		digest: issueEmail(issue, SITE, links, true),
		month: issueEmail(month, SITE, links, false),
		...(Object.fromEntries([...lesson, ...downloads]) as Record<string, EmailContent>),
		...Object.fromEntries(
			(['newsletter', 'course', 'guide'] as const).map((wish) => [
				`confirm-${wish}`,
				confirmEmail(
					wordsOf(wish, 'ada@example.com', 'on Thursdays'),
					`${SITE}/confirm?token=preview`,
				),
			]),
		),
		'sign-in': signInEmail({ browser: 'Firefox on Linux', at: '2026-03-05T08:30:00Z' }, SITE),
		account: accountChangeEmail(
			{ action: 'changed the password', at: '2026-03-05T08:30:00Z' },
			SITE,
		),
		reset: resetEmail(`${SITE}/admin#reset=preview`),
		data: dataEmail(links.preferences, links),
		contact: messageEmail({ ...message, email: 'ada@example.com' }),
		'contact-answer': replyEmail(
			{
				...message,
				text: 'It is there from today on.\n\nThank you: the laboratory is among its places to study.',
			},
			'hello@example.com',
		),
	};
}

/** Returns the emails that are written from what a database holds: of comments, of the issue to approve, of a letter. */
async function previewStored(): Promise<Record<string, EmailContent | RenderedEmail>> {
	setEnv(
		parseEnv({
			SITE_URL: SITE,
			SECRET: 'only for looking at emails, and nothing else',
			DATABASE_URL: ':memory:',
		}),
	);
	const db = await openDb(':memory:');
	await migrateDb(db);
	const now = new Date('2026-03-05T15:00:00Z');
	await db.insert(categories).values({ id: 'c', name: 'Data Science', slug: 'data-science' });
	await db.insert(postTable).values(
		posts.map(({ id, slug, title, excerpt, minutes }) => ({
			...{ id, slug, title, excerpt, readTime: minutes, categoryId: 'c', author: 'Grace' },
			...{ content: '<p>Words.</p>', published: true, publishedAt: new Date('2026-03-04') },
		})),
	);
	const comment = { postId: '0', createdAt: now, updatedAt: now };
	await db.insert(comments).values([
		{
			...{ ...comment, id: 'asked', author: 'Ada King', email: 'ada@example.com', notify: true },
			content: 'Is the fifth disguise not the first one again?\n\n```\nfit(scaler, all_rows)\n```',
		},
		{
			...{ ...comment, id: 'held', author: 'Emil', email: 'emil@example.com', parentId: 'asked' },
			content:
				'It is, with other data:\n\n```python\nfold = next(kfold.split(all_rows))\nprint(score(fit(fold), fold), "and", score(fit(all_rows), fold))\n```\n\nBoth ways say 0.98.',
			approved: false,
		},
		{
			...{ ...comment, id: 'reply', author: 'Grace', email: '', parentId: 'asked', byOwner: true },
			content: 'Almost: the first one leaks rows, the fifth one leaks time.',
		},
	]);
	const words = await prepareWords(
		db,
		'<p>Three articles this week, and <a href="/about">a word about the site</a>: the guides have new figures.</p>',
	);
	const others = [
		{
			title: 'How to lie with a test set',
			href: 'https://example.com/test-set',
			text: 'An older talk with the same point.',
		},
	];
	await db.insert(meta).values({ key: 'digest_told_until', value: '2026-03-01T00:00:00Z' });
	await updateNextIssue(db, { mode: 'ask', links: others }, words, 'the owner', now);
	await createIssue(db, now);
	await db.insert(letters).values({
		...{ id: 'letter', subject: 'The site moves on Sunday', createdAt: now, ...words },
	});
	const since = now.getTime() - DAY;
	const deliveries: [name: string, kind: MailKind, payload: object][] = [
		['issue-to-approve', 'approval', { date: '2026-03-05' }],
		['letter', 'letter', { letter: 'letter' }],
		['comment-held', 'comment', { id: 'held' }],
		['comment-shown', 'comment', { id: 'asked' }],
		['comments-of-a-day', 'comment', { since, until: now.getTime() + 1 }],
		['comment-approved', 'approved', { ids: ['asked'] }],
		['comment-answered', 'answer', { id: 'asked', since }],
	];
	await db.insert(subscribers).values({ email: 'reader@example.com' });
	const writers = writersOf(db);
	const written = deliveries.map(async ([name, kind, payload]) => {
		const delivery = {
			...{ kind, payload, recipient: 'reader@example.com', key: name, createdAt: now },
		} as Delivery;
		return [name, await writers[kind](delivery, now)] as const;
	});
	return Object.fromEntries(await Promise.all(written));
}

/** Returns every email by its name. */
export const everyEmail = async () => ({ ...(await previewLetters()), ...(await previewStored()) });
