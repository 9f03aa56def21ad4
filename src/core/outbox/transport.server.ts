import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import { SECOND } from '#src/lib/dates.ts';
import type { Env } from '#src/lib/env.ts';
import { DELIVERY_CONCURRENCY } from './outbox.server.ts';
import { OutageError, PermanentError, type TransportKind } from './outbox.ts';

/** An email as it goes out. `id` is its outbox row's: the same again when it is sent again. */
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

/** Takes mail away. */
export type Transport = {
	/** Resolves when the mail was accepted. Throws a `BounceError` where its recipient was refused for good. */
	send(email: Email): Promise<void>;
	/** Ends connections. The next mail opens new ones. */
	close(): void;
};

/** The server says that there is no such recipient. */
export class BounceError extends PermanentError {
	override name = 'BounceError';
}

/** Where mail goes: by SMTP, into a folder beside an embedded database, or nowhere yet. */
export function transportKind(env: Pick<Env, 'SMTP_URL' | 'DATABASE_URL'>): TransportKind {
	if (env.SMTP_URL) return 'smtp';
	return env.DATABASE_URL.startsWith('file:') ? 'mailbox' : 'none';
}

/** The transport of the environment, or null where mail has to wait. */
export function openTransport(env: Pick<Env, 'SMTP_URL' | 'DATABASE_URL'>): Transport | null {
	if (env.SMTP_URL) return smtpTransport(env.SMTP_URL);
	return transportKind(env) === 'mailbox'
		? mailboxTransport(mailboxFolder(env.DATABASE_URL))
		: null;
}

/** `db/local.mailbox` for `file:db/local.db`, so that two databases in one folder do not mix. */
export function mailboxFolder(databaseUrl: string): string {
	return resolve(`${databaseUrl.replace(/^file:(\/\/)?/, '').replace(/\.db$/, '')}.mailbox`);
}

/** Half of a lease, whatever the server does; no single step may hang for longer than a function can wait. */
const SEND_TIMEOUT_MS = 60 * SECOND;
const TIMEOUTS = {
	connectionTimeout: 5 * SECOND,
	greetingTimeout: 5 * SECOND,
	socketTimeout: 12 * SECOND,
};

function smtpTransport(url: string): Transport {
	// Slow to load, and most calls of a function send nothing.
	const open = async () => {
		const { createTransport } = await import('nodemailer');
		const pool = { pool: true, maxConnections: DELIVERY_CONCURRENCY, ...TIMEOUTS } as const;
		// Sending again after a lost connection is the outbox's business, which knows whether it may.
		return createTransport({ url, ...pool, maxRequeues: 0 });
	};
	let opened: ReturnType<typeof open> | undefined;
	return {
		async send(email) {
			const transport = await (opened ??= open());
			try {
				await transport.sendMail({
					...toMessage(email),
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

type SmtpError = Error & {
	code?: string;
	responseCode?: number;
	response?: string;
	command?: string;
};

/** Codes of nodemailer that are about the server and not about the mail. */
const OUTAGE_CODES = ['ECONNECTION', 'ESOCKET', 'EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EPROTOCOL'];

/** An enhanced status code of RFC 3463 for good, wherever a server puts it; no address of a machine. */
const ENHANCED_STATUS = /(?<![\d.])5\.(\d{1,3}\.\d{1,3})(?!\.?\d)/;

/**
 * Whether a refusal to `RCPT` is about the recipient's address. Servers say there as well what they have against
 * the sender, and that may be mended: a wrong login, a blocked machine, a domain without records.
 */
function isAboutRecipient({ responseCode = 0, response = '' }: SmtpError): boolean {
	const status = ENHANCED_STATUS.exec(response)?.[1];
	if (!status) return [550, 551, 553].includes(responseCode);
	// 1.7 and 1.8 are about the address of the sender.
	return status === '2.1' || (status.startsWith('1.') && !['1.7', '1.8'].includes(status));
}

function toOutboxError(error: SmtpError): Error {
	const isFinal = (error.responseCode ?? 0) >= 500;
	if (isFinal && error.command === 'RCPT TO' && isAboutRecipient(error)) {
		return new BounceError(error.message);
	}
	if (isFinal && error.command === 'DATA') return new PermanentError(error.message);
	const isDown =
		OUTAGE_CODES.includes(error.code ?? '') ||
		(error.code === 'ETIMEDOUT' && error.command === 'CONN') ||
		error.responseCode === 421;
	return isDown ? new OutageError(error.message) : error;
}

function mailboxTransport(folder: string): Transport {
	return {
		async send(email) {
			const { createTransport } = await import('nodemailer');
			const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
			const { message } = await composer.sendMail(toMessage(email));
			const path = join(folder, `${email.id}.eml`);
			await mkdir(folder, { recursive: true });
			// One step, and the same name for the same mail: it is there once and whole, or not at all.
			await writeFile(`${path}.new`, message as Buffer);
			await rename(`${path}.new`, path);
		},
		close() {},
	};
}

function toMessage({ id: _id, to, ...mail }: Email): SendMailOptions {
	return {
		...mail,
		// As an object, so that an address is never read as a list of several.
		to: { name: '', address: to },
		disableFileAccess: true,
		disableUrlAccess: true,
	};
}
