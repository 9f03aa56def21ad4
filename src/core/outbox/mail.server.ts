import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { outbox } from '#db/schema.ts';
import { consumeAttempt } from '#src/core/limits/limits.server.ts';
import { DAY, SECOND } from '#src/lib/dates.ts';
import type { Env } from '#src/lib/env.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { site } from '#src/site.ts';
import { domainOf, headerLine, letterText, type Letter } from './letter.ts';
import { ofKinds, type Courier, type Delivery } from './outbox.server.ts';
import { PostponedError, paceOf } from './outbox.ts';
import { BROKEN_LINK } from '#src/core/screen.ts';
import { BounceError, type Email, type Transport } from './transport.server.ts';

type MailSettings = Env & { SECRET: string };

/** Writes the letter of a delivery. Throws a `WithdrawnError` where nobody wants it any more. */
export type Writer = (delivery: Delivery, now: Date) => Promise<WrittenEmail>;
/** A letter, or one that is rendered already and differs between readers in its links only. */
type WrittenEmail = Letter | (RenderedEmail & { links: NonNullable<Letter['links']> });
export type RenderedEmail = { subject: string; html: string; text: string };

/** Which mail a reader answers: it decides what "Unsubscribe" ends. */
export type MailingList = 'weekly' | 'course';

/**
 * The links of an email that let its reader leave and choose. They do not expire, and whoever gets the mail forwarded has
 * them too: they open nothing that is personal.
 */
export function readerLinks(env: MailSettings, list: MailingList, address: string) {
	const token = seal(env.SECRET, 'reader', `${list} ${address}`);
	return {
		leave: `${env.SITE_URL}/unsubscribe?token=${token}`,
		preferences: `${env.SITE_URL}/preferences?token=${token}`,
		course: `${env.SITE_URL}/course?token=${token}`,
	};
}

/** For how long a link to personal data works. */
const DATA_LINK_MS = DAY;

/** The link to everything that is stored about an address. Only for an email to that address, and only where it was asked for. */
export function dataLink(env: MailSettings, address: string, now: Date): string {
	const token = seal(env.SECRET, 'data', `${now.getTime() + DATA_LINK_MS} ${address}`);
	return `${env.SITE_URL}/preferences?token=${token}`;
}

export type Reader = {
	list: MailingList;
	email: string;
	/** Whether what is stored may be read and erased: the link was asked for, and its day is not over. */
	seesData: boolean;
};

/** Whom a link of `readerLinks` or `dataLink` belongs to, or a `validation` error. */
export function readerOfToken(secret: string, token: string, now: Date): Reader {
	const [list, address] = unseal(secret, 'reader', token)?.split(' ') ?? [];
	if ((list === 'weekly' || list === 'course') && address) {
		return { list, email: address, seesData: false };
	}
	const [until, email] = unseal(secret, 'data', token)?.split(' ') ?? [];
	if (email) return { list: 'weekly', email, seesData: now.getTime() < Number(until) };
	throw new AppError('validation', MESSAGES.validation, { fields: { token: BROKEN_LINK } });
}

/** Carries mail of one kind: writes the letter, keeps to the pace of its domain, and hands it to the transport. */
export function emailCourier(
	db: Db,
	env: MailSettings,
	transport: Transport,
	write: Writer,
	onBounce: (address: string, now: Date) => Promise<void>,
): Courier {
	return async (delivery, now, markSending) => {
		const email = await toEmail(env, delivery, await write(delivery, now));
		await consumePace(db, env.SECRET, delivery, now);
		await markSending();
		try {
			await transport.send(email);
		} catch (error) {
			if (error instanceof BounceError) await onBounce(email.to, now);
			throw error;
		}
	};
}

/** A delivery's letter as the mail that leaves. */
async function toEmail(
	env: MailSettings,
	delivery: Delivery,
	written: WrittenEmail,
): Promise<Email> {
	const { SITE_URL, MAIL_FROM = site.email.from } = env;
	const { links } = written;
	return {
		id: delivery.id,
		from: headerLine(MAIL_FROM),
		to: delivery.recipient!,
		...(await toRendered(written)),
		replyTo: 'replyTo' in written ? written.replyTo : undefined,
		messageId: `<${delivery.id}@${new URL(SITE_URL).hostname}>`,
		headers: {
			// Nobody's holiday reply is wanted.
			'Auto-Submitted': 'auto-generated',
			...(links && {
				'List-Id': `${site.newsletter} <mail.${new URL(SITE_URL).hostname}>`,
				'List-Unsubscribe': `<${links.leave}>`,
				'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
			}),
		},
	};
}

async function toRendered(written: WrittenEmail): Promise<RenderedEmail> {
	if ('html' in written) {
		const { subject, html, text } = written;
		return { subject, html, text };
	}
	return renderLetter(written);
}

/** A letter in both forms. */
export async function renderLetter(letter: Letter): Promise<RenderedEmail> {
	// Slow to load, and most calls of a function send nothing.
	const { letterHtml } = await import('./letter.server.ts');
	return {
		subject: headerLine(letter.subject),
		html: letterHtml(letter),
		text: letterText(letter),
	};
}

/** Waits where a mail domain had its share: this delivery, and in the same stroke all others that are due there. */
async function consumePace(db: Db, secret: string, delivery: Delivery, now: Date): Promise<void> {
	const domain = domainOf(delivery.recipient!);
	try {
		await consumeAttempt(db, paceOf(delivery.kind), secret, domain, now);
	} catch (error) {
		if (!(error instanceof AppError && error.code === 'rate_limited')) throw error;
		const dueAt = new Date(now.getTime() + (error.retryAfter ?? 1) * SECOND);
		await db
			.update(outbox)
			.set({ dueAt })
			.where(
				and(
					lte(outbox.dueAt, now),
					ofKinds([delivery.kind]),
					eq(outbox.attempts, 0),
					or(isNull(outbox.leasedUntil), lte(outbox.leasedUntil, now)),
					sql`substr(${outbox.recipient}, instr(${outbox.recipient}, '@') + 1) = ${domain}`,
				),
			);
		throw new PostponedError(dueAt);
	}
}
