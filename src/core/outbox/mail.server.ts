import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { outbox } from '#db/schema.ts';
import { take } from '#src/core/limits/limits.server.ts';
import { DAY, SECOND } from '#src/lib/dates.ts';
import type { Env } from '#src/lib/env.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { site } from '#src/site.ts';
import { domainOf, oneLine, textOf, type Letter } from './letter.ts';
import { ofKinds, type Courier, type Delivery } from './outbox.server.ts';
import { LaterError, paceOf } from './outbox.ts';
import { NO_LINK } from '#src/core/screen.ts';
import { BounceError, type Mail, type Transport } from './transport.server.ts';

type Settings = Env & { SECRET: string };

/** Writes the letter of a delivery. Throws a `WithdrawnError` where nobody wants it any more. */
export type Writer = (delivery: Delivery, now: Date) => Promise<Written>;
/** A letter, or one that is rendered already and differs between readers in its links only. */
type Written = Letter | (Rendered & { links: NonNullable<Letter['links']> });
export type Rendered = { subject: string; html: string; text: string };

/** Which mail a reader answers: it decides what "Unsubscribe" ends. */
export type List = 'weekly' | 'course';

/**
 * The links of a mail that let its reader leave and choose. They do not expire, and whoever gets the mail forwarded has
 * them too: they open nothing that is personal.
 */
export function linksFor(env: Settings, list: List, address: string) {
	const token = seal(env.SECRET, 'reader', `${list} ${address}`);
	return {
		leave: `${env.SITE_URL}/unsubscribe?token=${token}`,
		preferences: `${env.SITE_URL}/preferences?token=${token}`,
		course: `${env.SITE_URL}/course?token=${token}`,
	};
}

/** For how long a link to personal data works. */
const DATA_LINK_MS = DAY;

/** The link to everything that is stored about an address. Only for a mail to that address, and only where it was asked for. */
export function dataLinkFor(env: Settings, address: string, now: Date): string {
	const token = seal(env.SECRET, 'data', `${now.getTime() + DATA_LINK_MS} ${address}`);
	return `${env.SITE_URL}/preferences?token=${token}`;
}

export type Reader = {
	list: List;
	email: string;
	/** Whether what is stored may be read and erased: the link was asked for, and its day is not over. */
	seesData: boolean;
};

/** Whom a link of `linksFor` or `dataLinkFor` belongs to, or a `validation` error. */
export function readerOf(secret: string, token: string, now: Date): Reader {
	const [list, address] = unseal(secret, 'reader', token)?.split(' ') ?? [];
	if ((list === 'weekly' || list === 'course') && address) {
		return { list, email: address, seesData: false };
	}
	const [until, email] = unseal(secret, 'data', token)?.split(' ') ?? [];
	if (email) return { list: 'weekly', email, seesData: now.getTime() < Number(until) };
	throw new AppError('validation', MESSAGES.validation, { fields: { token: NO_LINK } });
}

/** Carries mail of one kind: writes the letter, keeps to the pace of its domain, and hands it to the transport. */
export function mailCourier(
	db: Db,
	env: Settings,
	transport: Transport,
	write: Writer,
	onBounce: (address: string, now: Date) => Promise<void>,
): Courier {
	return async (delivery, now, begin) => {
		const mail = await mailOf(env, delivery, await write(delivery, now));
		await keepPace(db, env.SECRET, delivery, now);
		await begin();
		try {
			await transport.send(mail);
		} catch (error) {
			if (error instanceof BounceError) await onBounce(mail.to, now);
			throw error;
		}
	};
}

/** A delivery's letter as the mail that leaves. */
async function mailOf(env: Settings, delivery: Delivery, written: Written): Promise<Mail> {
	const { SITE_URL, MAIL_FROM = site.email.from } = env;
	const { links } = written;
	return {
		id: delivery.id,
		from: oneLine(MAIL_FROM),
		to: delivery.recipient!,
		...(await rendered(written)),
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

async function rendered(written: Written): Promise<Rendered> {
	if ('html' in written) {
		const { subject, html, text } = written;
		return { subject, html, text };
	}
	return render(written);
}

/** A letter in both forms. */
export async function render(letter: Letter): Promise<Rendered> {
	// Slow to load, and most calls of a function send nothing.
	const { htmlOf } = await import('./letter.server.ts');
	return { subject: oneLine(letter.subject), html: htmlOf(letter), text: textOf(letter) };
}

/** Waits where a mail domain had its share: this delivery, and in the same stroke all others that are due there. */
async function keepPace(db: Db, secret: string, delivery: Delivery, now: Date): Promise<void> {
	const domain = domainOf(delivery.recipient!);
	try {
		await take(db, paceOf(delivery.kind), secret, domain, now);
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
		throw new LaterError(dueAt);
	}
}
