import { inArray } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { letters } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { deliveryStateOf } from '#src/core/outbox/outbox.ts';
import { progressOf } from '#src/features/course/course.ts';
import { DOWNLOADS, UPGRADES } from '#src/features/downloads/download.ts';
import { findSubscriber, toSubscriberRow } from '#src/features/newsletter/subscribers.server.ts';
import type { PersonView } from './person.api.ts';
import { collectData, heldWords } from '#src/features/privacy/privacy.server.ts';

const SHOWN = 50;

/** Returns what is stored about an address, as the desk shows it. */
export async function readPerson(db: Db, email: string, now: Date): Promise<PersonView> {
	const [found, data] = await Promise.all([
		findSubscriber(db, email, now),
		collectData(db, email, now),
	]);
	const emails = latest(data.mails);
	const ids = emails.map(letterOf).filter((id) => id !== undefined);
	const named = await db
		.select(tolerant({ id: letters.id, subject: letters.subject }))
		.from(letters)
		.where(inArray(letters.id, ids));
	const subjects = new Map(named.map(({ id, subject }) => [id, subject]));
	const { newsletter, course, unconfirmed, comments, messages } = data;
	return {
		email,
		subscriber: found && {
			...toSubscriberRow(found),
			topics: found.topicNames?.split('; ') ?? [],
			wantsWhole: found.wantsWhole,
			cadence: found.cadence,
		},
		course: course && {
			...progressOf(course, now),
			createdAt: course.createdAt.toISOString(),
			consent: course.consent,
		},
		unconfirmed: unconfirmed
			.filter(({ confirmedAt }) => !confirmedAt)
			.map(({ wish, page, createdAt }) => ({ wish, page, createdAt: createdAt.toISOString() })),
		emails: {
			total: data.mails.length,
			rows: emails.map((mail) => ({
				kind: mail.kind,
				title: subjects.get(letterOf(mail) ?? '') ?? downloadOf(mail) ?? '',
				state: deliveryStateOf(mail),
				createdAt: mail.createdAt.toISOString(),
			})),
		},
		comments: listed(comments, ({ article, slug, content, isPublic, createdAt }) => ({
			...{ article, slug, content, isPublic },
			createdAt: createdAt.toISOString(),
		})),
		messages: listed(messages, ({ id, topic, message, createdAt }) => ({
			...{ id, topic, message },
			createdAt: createdAt.toISOString(),
		})),
		held: heldWords({
			subscribers: newsletter ? 1 : 0,
			courses: course ? 1 : 0,
			unconfirmed: unconfirmed.length,
			comments: comments.length,
			messages: messages.length,
			feedback: data.feedback.length,
			emails: data.mails.length,
		}),
	};
}

type Mail = Awaited<ReturnType<typeof collectData>>['mails'][number];

const latest = <Row>(rows: Row[]) => rows.toReversed().slice(0, SHOWN);
const listed = <Row, View>(rows: Row[], view: (row: Row) => View) => ({
	total: rows.length,
	rows: latest(rows).map(view),
});

/** Returns the id of the letter that an email brought: its key begins with it. */
const letterOf = ({ kind, key }: Mail) =>
	kind === 'digest' || kind === 'letter' ? key.split(' ')[0] : undefined;

function downloadOf({ kind, payload }: Mail): string | undefined {
	const { upgradeType } = Object(payload) as { upgradeType?: unknown };
	const upgrade = UPGRADES.find((one) => kind === 'download' && one === upgradeType);
	return upgrade && DOWNLOADS[upgrade].title;
}
