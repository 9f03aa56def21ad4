import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import { SECOND } from '#src/lib/dates.ts';
import type { Env } from '#src/lib/env.ts';
import { domainOf } from './email-content.ts';
import { DELIVERY_CONCURRENCY } from './outbox.server.ts';
import { KEPT_NOTE, OutageError, PermanentError, type TransportKind } from './outbox.ts';
import { addressVerdict } from './refusal.ts';

/** An email as it is sent. `id` is its outbox row's, and the same when it is sent again. */
export type Email = {
	id: string;
	from: string;
	to: string;
	subject: string;
	html: string;
	text: string;
	replyTo?: { name: string; address: string } | undefined;
	messageId: string;
	headers: Record<string, string>;
};

/** Sends emails. */
export type Transport = {
	/** Starts what takes its time, before an email is marked as being sent. */
	open?(): Promise<void>;
	/** Resolves once the email is accepted. Throws a `BounceError` if its recipient is refused permanently. */
	send(email: Email): Promise<void>;
	/** Closes connections. The next email opens new ones. */
	close(): void;
	/** Goes into the row of an email that is not sent. */
	note?: string;
};

/** The server reports that the recipient does not exist; not in so many words, unless `isGone`. */
export class BounceError extends PermanentError {
	override name = 'BounceError';
	readonly isGone: boolean;
	constructor(message: string, isGone: boolean) {
		super(message);
		this.isGone = isGone;
	}
}

/** Returns where email goes: by SMTP, into a folder beside an embedded database, or nowhere yet. */
export function transportKind(env: Pick<Env, 'SMTP_URL' | 'DATABASE_URL'>): TransportKind {
	if (env.SMTP_URL) return 'smtp';
	return env.DATABASE_URL.startsWith('file:') ? 'mailbox' : 'none';
}

type TransportEnv = Pick<Env, 'SMTP_URL' | 'DATABASE_URL' | 'MAIL_DKIM_SELECTOR' | 'MAIL_DKIM_KEY'>;

let handover: Transport | undefined;

/** Makes this process hand email that leaves by SMTP to another one. */
export function setSmtpTransport(transport: Transport): void {
	handover = transport;
}

/** Opens the transport of the environment. Returns null if email has to wait. */
export function openTransport(env: TransportEnv): Transport | null {
	const { MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY: key } = env;
	const signing = selector && key ? { selector, key } : undefined;
	if (env.SMTP_URL) return handover ?? smtpTransport(env.SMTP_URL, signing);
	return transportKind(env) === 'mailbox'
		? mailboxTransport(mailboxFolder(env.DATABASE_URL), signing)
		: null;
}

/** How emails are signed by DKIM: the name of the DNS record, and the private key in PEM format. */
type Signing = { selector: string; key: string };

/** Returns the folder of emails that are not sent by SMTP. */
export const mailboxFolder = (databaseUrl: string) => `${databasePath(databaseUrl)}.mailbox`;

/**
 * Returns the absolute path of `db/local` for `file:db/local.db`. What is beside it has this name, so that two databases in
 * one folder do not mix. The ending is added to what is resolved already: Netlify's tracer would take a path that is resolved
 * with an ending for a pattern, and look for such files in the whole project, for each function.
 */
export const databasePath = (databaseUrl: string) =>
	resolve(databaseUrl.replace(/^file:(\/\/)?/, '').replace(/\.db$/, ''));

/** Half of a lease, whatever the server does. No single step may hang for longer than a function can wait. */
const SEND_TIMEOUT_MS = 60 * SECOND;
const TIMEOUTS = {
	connectionTimeout: 5 * SECOND,
	greetingTimeout: 5 * SECOND,
	socketTimeout: 12 * SECOND,
};

function smtpTransport(url: string, signing?: Signing): Transport {
	// Slow to load, and most function calls send nothing.
	const open = async () => {
		const { createTransport } = await import('nodemailer');
		const pool = { pool: true, maxConnections: DELIVERY_CONCURRENCY, ...TIMEOUTS } as const;
		// Retrying after a lost connection is up to the outbox, which knows whether it may.
		return createTransport({ url, ...pool, maxRequeues: 0 });
	};
	let opened: ReturnType<typeof open> | undefined;
	return {
		async send(email) {
			const transport = await (opened ??= open());
			try {
				await transport.sendMail({
					...toMessage(email, signing),
					signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
				});
			} catch (error) {
				throw toOutboxError(error as SmtpError);
			}
		},
		close() {
			void opened?.then((transport) => transport.close());
			opened = undefined;
		},
	};
}

/** Greets an SMTP server and signs in there. Returns what it says against that, or null. */
export async function trySmtp(url: string): Promise<string | null> {
	const { createTransport } = await import('nodemailer');
	const transport = createTransport({ url, ...TIMEOUTS });
	try {
		await transport.verify();
		return null;
	} catch (error) {
		return (error as Error).message;
	} finally {
		transport.close();
	}
}

type SmtpError = Error & {
	code?: string;
	responseCode?: number;
	response?: string;
	command?: string;
};

/** Error codes of nodemailer that are about the server, not the email. */
const OUTAGE_CODES = ['ECONNECTION', 'ESOCKET', 'EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EPROTOCOL'];

function toOutboxError(error: SmtpError): Error {
	const { responseCode = 0, response = '' } = error;
	const isFinal = responseCode >= 500;
	if (isFinal && error.command === 'RCPT TO') {
		// Servers also report problems with the sender there, which can be fixed: a wrong login, a blocked machine.
		const verdict = addressVerdict(response);
		const isAboutRecipient = verdict ? verdict !== 'other' : [550, 551, 553].includes(responseCode);
		if (isAboutRecipient) return new BounceError(error.message, verdict === 'gone');
	}
	if (isFinal && error.command === 'DATA') return new PermanentError(error.message);
	const isDown =
		OUTAGE_CODES.includes(error.code ?? '') ||
		(error.code === 'ETIMEDOUT' && error.command === 'CONN') ||
		responseCode === 421;
	return isDown ? new OutageError(error.message) : error;
}

function mailboxTransport(folder: string, signing?: Signing): Transport {
	return {
		note: KEPT_NOTE,
		async send(email) {
			const { createTransport } = await import('nodemailer');
			const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
			const { message } = await composer.sendMail(toMessage(email, signing));
			const path = join(folder, `${email.id}.eml`);
			await mkdir(folder, { recursive: true });
			// Renamed in one step to a name that is the same for the same email: the file is complete or does
			// not exist.
			await writeFile(`${path}.new`, message as Buffer);
			await rename(`${path}.new`, path);
		},
		close() {},
	};
}

/** Mail clients offer to unsubscribe with one click only if both of its headers are signed (RFC 8058), which is not usual. */
const SIGNED_HEADERS = [
	...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'MIME-Version', 'Content-Type'],
	...['List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'Feedback-ID', 'Auto-Submitted'],
].join(':');

function toMessage({ id: _id, to, ...mail }: Email, signing?: Signing): SendMailOptions {
	return {
		...mail,
		...(signing && {
			dkim: {
				// The domain that the reader sees, or the signature does not count for DMARC.
				domainName: domainOf(mail.from).replace(/>.*$/, ''),
				keySelector: signing.selector,
				privateKey: signing.key,
				headerFieldNames: SIGNED_HEADERS,
			},
		}),
		// As an object, so that an address is never parsed as a list.
		to: { name: '', address: to },
		disableFileAccess: true,
		disableUrlAccess: true,
	};
}
