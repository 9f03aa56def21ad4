import { createPrivateKey } from 'node:crypto';
import * as z from 'zod/mini';
import { isTimeZone } from './dates.ts';
import { email } from './email.ts';

/** Treats set-but-empty as unset, so that `.env.example` can list every name. */
const optional = <T extends z.ZodMiniType>(schema: T) =>
	z.pipe(
		z.transform((value) => (value === '' ? undefined : value)),
		z.optional(schema),
	);
const text = () => z.string().check(z.trim(), z.minLength(1));
const webAddress = () =>
	z.pipe(
		z.url({
			protocol: /^https?$/,
			error: 'must be an address that starts with http:// or https://',
		}),
		z.transform((url) => url.replace(/\/+$/, '')),
	);
/** URL of a whole site, whose pages are at the root. */
const origin = () =>
	webAddress().check(
		z.refine((url) => URL.canParse(url) && new URL(url).origin.length === url.length, {
			error:
				'must be an address without a path, such as https://blog.example: the site takes the whole of it',
		}),
	);
const choice = () =>
	z.pipe(
		optional(z.enum(['on', 'off', 'true', 'false', '1', '0'], { error: 'must be on or off' })),
		z.transform((value) => value && ['on', 'true', '1'].includes(value)),
	);
const flag = (fallback: boolean) =>
	z.pipe(
		choice(),
		z.transform((value) => value ?? fallback),
	);
const hour = () => {
	const error = 'must be an hour from 0 to 23';
	return z.coerce.number({ error }).check(z.int({ error }), z.gte(0, error), z.lte(23, error));
};

/** Every environment variable of ours; all others are ignored. */
const schema = z.object({
	HOST: z._default(optional(text()), '127.0.0.1'),
	PORT: z._default(
		optional(
			z.coerce
				.number({ error: 'must be a port number from 0 to 65535' })
				.check(
					z.int({ error: 'must be a port number from 0 to 65535' }),
					z.gte(0, 'must be a port number from 0 to 65535'),
					z.lte(65535, 'must be a port number from 0 to 65535'),
				),
		),
		8888,
	),
	SITE_URL: optional(origin()),
	DATABASE_URL: z._default(
		optional(
			z.string().check(
				z.regex(/^(file:.|libsql:\/\/.|https?:\/\/.|wss?:\/\/.|:memory:$)/, {
					error: 'must start with file:, libsql://, http:// or https://',
				}),
			),
		),
		'file:db/local.db',
	),
	DATABASE_AUTH_TOKEN: optional(text()),
	DATABASE_READ_URL: optional(
		z.string().check(
			z.regex(
				/^\s*(libsql|https?|wss?):\/\/[^\s,]+(\s*,\s*(libsql|https?|wss?):\/\/[^\s,]+)*\s*$/,
				{
					error:
						'must be addresses that start with libsql://, http:// or https://, with commas between',
				},
			),
		),
	),
	SECRET: optional(z.string().check(z.minLength(32, { error: 'must have 32 characters or more' }))),
	ADMIN_EMAIL: optional(email(undefined, 'must be an email address')),
	ADMIN_PASSWORD: optional(z.string()),
	TRUST_PROXY: flag(false),
	WORKERS: z._default(
		optional(
			z.coerce
				.number({ error: 'must be a number of processes from 1 to 64' })
				.check(
					z.int({ error: 'must be a number of processes from 1 to 64' }),
					z.gte(1, 'must be a number of processes from 1 to 64'),
					z.lte(64, 'must be a number of processes from 1 to 64'),
				),
		),
		1,
	),
	DRAIN_SECONDS: z._default(
		optional(
			z.coerce
				.number({ error: 'must be a number of seconds from 0 to 300' })
				.check(
					z.int({ error: 'must be a number of seconds from 0 to 300' }),
					z.gte(0, 'must be a number of seconds from 0 to 300'),
					z.lte(300, 'must be a number of seconds from 0 to 300'),
				),
		),
		1,
	),
	BACKUP_HOUR: z._default(
		optional(
			z.union([z.literal('off'), hour()], { error: 'must be an hour from 0 to 23, or off' }),
		),
		3,
	),
	BACKUP_FOLDER: optional(text()),
	BACKUP_PASSPHRASE: optional(
		z.string().check(z.minLength(12, { error: 'must have 12 characters or more' })),
	),
	BACKUP_S3_URL: optional(
		webAddress().check(
			z.refine((url) => URL.canParse(url) && new URL(url).pathname.length > 1, {
				error: 'must be an address with a bucket, such as https://s3.example.com/bucket',
			}),
		),
	),
	BACKUP_S3_REGION: z._default(optional(text()), 'us-east-1'),
	BACKUP_S3_ACCESS_KEY: optional(text()),
	BACKUP_S3_SECRET_KEY: optional(text()),
	CHECK_SOURCES: flag(true),
	LOG_FORMAT: z._default(
		optional(z.enum(['text', 'json'], { error: 'must be text or json' })),
		'text',
	),
	METRICS_TOKEN: optional(
		z.string().check(z.minLength(16, { error: 'must have 16 characters or more' })),
	),
	SMTP_URL: optional(
		z.url({
			protocol: /^smtps?$/,
			error: 'must be an address that starts with smtp:// or smtps://',
		}),
	),
	MAIL_FROM: optional(text()),
	MAIL_DKIM_SELECTOR: optional(
		z.string().check(
			z.regex(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/i, {
				error: 'must be the name of a DNS record before ._domainkey, such as mail2026',
			}),
		),
	),
	MAIL_DKIM_KEY: optional(
		z.pipe(
			z.string().check(z.refine(isRsaKey, { error: 'must be a private RSA key in PEM format' })),
			z.transform(pem),
		),
	),
	BOUNCES_SECRET: optional(
		z.string().check(z.minLength(16, { error: 'must have 16 characters or more' })),
	),
	DIGEST_HOUR: z._default(optional(hour()), 9),
	DIGEST_TIME_ZONE: z._default(
		optional(
			text().check(
				z.refine(isTimeZone, { error: 'must be the name of a time zone, such as Europe/Berlin' }),
			),
		),
		'America/New_York',
	),
	MAILERLITE_API_KEY: optional(text()),
	MAILERLITE_GROUP_ID: optional(text()),
	MAILERLITE_API_URL: optional(webAddress()),
	EMAILJS_PUBLIC_KEY: optional(text()),
	EMAILJS_PRIVATE_KEY: optional(text()),
	EMAILJS_SERVICE_ID: optional(text()),
	EMAILJS_TEMPLATE_ID: optional(text()),
	EMAILJS_API_URL: optional(webAddress()),
	BUILD_HOOK_URL: optional(webAddress()),
	INDEXNOW_KEY: optional(
		z.string().check(
			z.regex(/^[a-zA-Z0-9-]{8,128}$/, {
				error: 'must have 8 to 128 characters: letters, digits and hyphens',
			}),
		),
	),
	INDEXNOW_URL: optional(webAddress()),
	WEBSUB_HUB: optional(webAddress()),
	SAMPLE_CONTENT: flag(true),
	INVENTED_PROOF: choice(),
	STYLEGUIDE: flag(false),
	GA_MEASUREMENT_ID: optional(
		z.string().check(z.regex(/^G-[A-Z0-9]+$/, { error: 'must look like G-XXXXXXXXXX' })),
	),
});

type Parsed = z.infer<typeof schema>;
/** The parsed environment. `SITE_URL` is always set and has no trailing slash. */
export type Env = Omit<Parsed, 'SITE_URL' | 'INVENTED_PROOF'> & {
	SITE_URL: string;
	INVENTED_PROOF: boolean;
};

/** Names of our variables. */
export const ENV_NAMES = Object.keys(schema.def.shape);

/** An invalid environment. Its message names each variable at fault and never shows a value. */
export class EnvError extends Error {
	override name = 'EnvError';
}

/** Parses the environment. Throws an `EnvError` with a message of one line. */
export function parseEnv(source: Record<string, string | undefined>): Env {
	const result = schema.safeParse(source);
	if (!result.success) {
		const faults = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
		throw new EnvError(`Invalid environment: ${faults.join('; ')}.`);
	}
	const env = result.data;
	if ((env.MAIL_DKIM_SELECTOR === undefined) !== (env.MAIL_DKIM_KEY === undefined)) {
		throw new EnvError(
			'Invalid environment: MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY must be set together.',
		);
	}
	const storage = [env.BACKUP_S3_URL, env.BACKUP_S3_ACCESS_KEY, env.BACKUP_S3_SECRET_KEY];
	if (storage.some(Boolean) && ![...storage, env.BACKUP_PASSPHRASE].every(Boolean)) {
		throw new EnvError(
			'Invalid environment: BACKUP_S3_URL, BACKUP_S3_ACCESS_KEY, BACKUP_S3_SECRET_KEY and BACKUP_PASSPHRASE must be set together.',
		);
	}
	const SITE_URL = env.SITE_URL ?? `http://${hostForUrl(env.HOST)}:${env.PORT}`;
	// Invented figures are off on a public site unless the owner turns them on.
	const isDemonstration = isLoopback(SITE_URL) && !isOnNetlify(source);
	return { ...env, SITE_URL, INVENTED_PROOF: env.INVENTED_PROOF ?? isDemonstration };
}

/** Returns whether this is a Netlify build (`NETLIFY`) or function (`SITE_ID`), which is public whatever `SITE_URL` says. */
export function isOnNetlify({ NETLIFY, SITE_ID }: Record<string, string | undefined>): boolean {
	return Boolean(NETLIFY || SITE_ID);
}

/** Returns whether a site is reachable from its own machine only, so not for search engines either. */
export function isLoopback(siteUrl: string): boolean {
	return /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(siteUrl).hostname);
}

let shared: Env | undefined;

/** Returns the environment of this process, parsed once. */
export function getEnv(): Env {
	return (shared ??= parseEnv(process.env));
}

/**
 * Returns the key that signs sessions and links and keys hashes. The one-machine server generates it; elsewhere
 * it must be set.
 */
export function getSecret(): string {
	const { SECRET } = getEnv();
	if (!SECRET) throw new EnvError('Invalid environment: SECRET is not set.');
	return SECRET;
}

/** Replaces the result of `getEnv`. Without an argument, the next call parses `process.env` again. */
export function setEnv(env?: Env): void {
	shared = env;
}

/** Returns a key whose line breaks may have been written as `\n`, as a file of variables needs them. */
function pem(key: string): string {
	return key.replaceAll('\\n', '\n').trim();
}

function isRsaKey(key: string): boolean {
	try {
		return createPrivateKey(pem(key)).asymmetricKeyType === 'rsa';
	} catch {
		return false;
	}
}

function hostForUrl(host: string): string {
	if (host === '0.0.0.0' || host === '::') return 'localhost';
	return host.includes(':') ? `[${host}]` : host;
}

/** Returns the device and inode of what systemd's journal reads of this process, where it runs as a service. */
export function journalStream(): string | undefined {
	return process.env['JOURNAL_STREAM'];
}
