import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { outbox } from '#db/schema.ts';
import { consumeAttempt } from '#src/core/limits/limits.server.ts';
import { DAY, SECOND } from '#src/lib/dates.ts';
import type { Env } from '#src/lib/env.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { site } from '#src/site.ts';
import { domainOf, headerLine, emailText, type EmailContent } from './email-content.ts';
import { ofKinds, type Courier, type Delivery } from './outbox.server.ts';
import { paceOf } from './kinds.ts';
import { PostponedError } from './outbox.ts';
import { BROKEN_LINK } from '#src/core/screen.ts';
import { BounceError, type Email, type Transport } from './transport.server.ts';

type MailSettings = Env & { SECRET: string };

/** Writes the email of a delivery. Throws a `WithdrawnError` if nobody wants it anymore. */
export type Writer = (delivery: Delivery, now: Date) => Promise<WrittenEmail>;
/** Content of an email, or one that is already rendered and differs between readers in its links only. */
type WrittenEmail = EmailContent | (RenderedEmail & { links: NonNullable<EmailContent['links']> });
export type RenderedEmail = { subject: string; html: string; text: string };

/** The list that an email belongs to, which decides what "Unsubscribe" ends. */
export type MailingList = 'weekly' | 'course';

/**
 * Returns the links in an email with which its reader unsubscribes and changes preferences. They never expire,
 * and anyone to whom the email is forwarded has them too, so they give no access to personal data.
 */
export function readerLinks(env: MailSettings, list: MailingList, address: string) {
	const token = seal(env.SECRET, 'reader', `${list} ${address}`);
	return {
		leave: `${env.SITE_URL}/unsubscribe?token=${token}`,
		preferences: `${env.SITE_URL}/preferences?token=${token}`,
		course: `${env.SITE_URL}/course?token=${token}`,
	};
}

/** How long a link to personal data works. */
const DATA_LINK_MS = DAY;

/** Returns the link to everything stored about an address. Only for an email to that address, and only on request. */
export function dataLink(env: MailSettings, address: string, now: Date): string {
	const token = seal(env.SECRET, 'data', `${now.getTime() + DATA_LINK_MS} ${address}`);
	return `${env.SITE_URL}/preferences?token=${token}`;
}

export type Reader = {
	list: MailingList;
	email: string;
	/** Whether stored data may be read and erased: the link was requested for it and has not expired. */
	seesData: boolean;
};

/** Returns the reader of a link from `readerLinks` or `dataLink`, also of an expired one, or throws a `validation` error. */
export function readerOfToken(secret: string, token: string, now: Date): Reader {
	const [list, address] = unseal(secret, 'reader', token)?.split(' ') ?? [];
	if ((list === 'weekly' || list === 'course') && address) {
		return { list, email: address, seesData: false };
	}
	const [until, email] = unseal(secret, 'data', token)?.split(' ') ?? [];
	if (email) return { list: 'weekly', email, seesData: now.getTime() < Number(until) };
	throw invalid({ token: BROKEN_LINK });
}

/**
 * Returns the courier for one kind of email: writes the email, respects the pace of its domain, and passes it
 * to the transport.
 */
export function emailCourier(
	db: Db,
	env: MailSettings,
	transport: Transport,
	write: Writer,
	onBounce: (address: string, isGone: boolean, now: Date) => Promise<void>,
): Courier {
	/** When domains whose pace is used up get emails again: until then none is written for them. */
	const fullUntil = new Map<string, Date>();
	return async (delivery, now, markSending) => {
		const domain = domainOf(delivery.recipient!);
		const until = fullUntil.get(domain);
		if (until && until > now) throw new PostponedError(until);
		const email = await toEmail(env, delivery, await write(delivery, now));
		await transport.open?.();
		await consumePace(db, env.SECRET, delivery, now).catch((error: unknown) => {
			if (error instanceof PostponedError) fullUntil.set(domain, error.dueAt);
			throw error;
		});
		await markSending();
		try {
			await transport.send(email);
		} catch (error) {
			if (error instanceof BounceError) await onBounce(email.to, error.isGone, now);
			throw error;
		}
		return transport.note;
	};
}

/** Returns a delivery as an email. */
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
			// Prevents out-of-office replies.
			'Auto-Submitted': 'auto-generated',
			...(links && {
				'List-Id': `${listName(site.newsletter)} <mail.${new URL(SITE_URL).hostname}>`.trim(),
				'List-Unsubscribe': `<${links.leave}>`,
				'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
				// Providers report complaints by these names, the last of which is the sender's.
				'Feedback-ID': `${campaignOf(delivery)}:${delivery.kind}:${new URL(SITE_URL).hostname}`,
			}),
		},
	};
}

/** Returns the name of the letter that an email belongs to, or of its kind. */
function campaignOf({ kind, payload }: Delivery): string {
	const { issue, letter } = payload as { issue?: string; letter?: string };
	return issue ?? letter ?? kind;
}

/** Returns a name in the letters that a header takes as they are, so that the list's id beside it stays readable. */
function listName(name: string): string {
	return name
		.normalize('NFKD')
		.replace(/[^A-Za-z0-9 ]+/g, '')
		.replace(/ +/g, ' ')
		.trim();
}

async function toRendered(written: WrittenEmail): Promise<RenderedEmail> {
	if ('html' in written) {
		const { subject, html, text } = written;
		return { subject, html, text };
	}
	return renderEmail(written);
}

/** Renders an email as HTML and as plain text. */
export async function renderEmail(content: EmailContent): Promise<RenderedEmail> {
	// Slow to load, and most function calls send nothing.
	const { emailDocument } = await import('./email-document.server.ts');
	return {
		subject: headerLine(content.subject),
		html: emailDocument(content),
		text: emailText(content),
	};
}

/**
 * Consumes one email of a domain's pace. Once it is used up, postpones this delivery and all others that are
 * due for that domain.
 */
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
