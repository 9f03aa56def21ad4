import { createPublicKey } from 'node:crypto';
import dns from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Db } from '#db/client.ts';
import { domainOf, headerLine } from '#src/core/outbox/email-content.ts';
import { trySmtp } from '#src/core/outbox/transport.server.ts';
import { readOwnerAddress } from '#src/core/session/account.server.ts';
import { DEFAULT_EMAIL } from '#src/core/session/session.ts';
import { SECOND } from '#src/lib/dates.ts';
import type { Env } from '#src/lib/env.ts';
import { site } from '#src/site.ts';
import { SMTP_LINE, type MailRecord, type MailRecords } from './records.ts';

type SenderEnv = Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'MAIL_DKIM_SELECTOR' | 'MAIL_DKIM_KEY'>;
/** Returns the TXT records of a name; throws if nobody can say. */
type Lookup = (name: string) => Promise<string[]>;

/** Tries the mail server, looks up the DNS records of the sender's domain, and says what they lack. */
export async function checkMailRecords(db: Db, env: SenderEnv): Promise<MailRecords> {
	const from = headerLine(env.MAIL_FROM ?? site.email.from);
	const domain = domainOf(/<([^>]*)>$/.exec(from)?.[1] ?? from).toLowerCase();
	const lookup = openLookup();
	const owner = await readOwnerAddress(db);
	const reports = owner === DEFAULT_EMAIL ? `postmaster@${domain}` : owner;
	const records = await Promise.all([
		checkServer(env),
		checkSpf(domain, lookup),
		checkDkim(domain, env, lookup),
		checkDmarc(domain, reports, lookup),
	]);
	return { domain, records };
}

async function checkServer({ SMTP_URL }: SenderEnv): Promise<MailRecord> {
	const server = { kind: 'SMTP', name: null, found: null } as const;
	if (!SMTP_URL) {
		return {
			...{ ...server, state: 'missing' },
			advice:
				'No mail leaves this site yet. Hand this to whoever runs the server, with what your mail provider gives you:',
			write: SMTP_LINE,
		};
	}
	const found = new URL(SMTP_URL).hostname;
	const problem = await trySmtp(SMTP_URL);
	if (problem === null) {
		return {
			...server,
			found,
			state: 'good',
			advice: 'It takes mail from this site.',
			write: null,
		};
	}
	const advice = `It takes no mail from this site (${problem.slice(0, 200)}). SMTP_URL on the server says which one it is, and who signs in there.`;
	return { ...server, found, state: 'wrong', advice, write: null };
}

/** Error codes of a name that exists without such records, or does not exist. */
const NOTHING = ['ENODATA', 'ENOTFOUND'];

function openLookup(): Lookup {
	const resolver = new Resolver({ timeout: 2 * SECOND, tries: 2 });
	resolver.setServers(dns.getServers());
	return async (name) => {
		try {
			return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
		} catch (error) {
			if (NOTHING.includes(String((error as NodeJS.ErrnoException).code))) return [];
			throw error;
		}
	};
}

type Finding = Omit<MailRecord, 'kind' | 'name'>;

/** Looks up a name and judges its records. */
async function check(
	kind: MailRecord['kind'],
	name: string,
	lookup: () => Promise<string[]>,
	judge: (records: string[]) => Finding,
): Promise<MailRecord> {
	try {
		return { kind, name, ...judge(await lookup()) };
	} catch {
		const advice = 'The DNS server does not answer. Try again in a minute.';
		return { kind, name, state: 'unknown', found: null, advice, write: null };
	}
}

function checkSpf(domain: string, lookup: Lookup): Promise<MailRecord> {
	return check(
		'SPF',
		domain,
		() => lookup(domain),
		(all) => {
			const records = all.filter((record) => /^v=spf1(?: |$)/i.test(record));
			const found = records.join('\n') || null;
			if (records.length === 0) {
				return {
					...{ state: 'missing', found },
					advice:
						'Nothing says which servers may send for this domain. Your provider names its own.',
					write: 'v=spf1 include:your-provider.example -all',
				};
			}
			if (records.length > 1) {
				const advice = 'Two SPF records count as none. Join them into one.';
				return { state: 'wrong', found, advice, write: null };
			}
			if (/(?:^| )\+?all(?: |$)/i.test(records[0]!)) {
				const advice = 'It lets every server of the world send for this domain. End it with -all.';
				return { state: 'wrong', found, advice, write: null };
			}
			const advice = 'See that it names your provider: its own pages say what to include.';
			return { state: 'good', found, advice, write: null };
		},
	);
}

async function checkDkim(
	domain: string,
	{ MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY: key }: SenderEnv,
	lookup: Lookup,
): Promise<MailRecord> {
	if (!selector || !key) {
		return {
			...{ kind: 'DKIM', name: null, state: 'unknown', found: null, write: null },
			advice:
				'Your SMTP server signs emails, or nobody does. Send yourself a test: its headers should say dkim=pass.',
		};
	}
	const name = `${selector}._domainkey.${domain}`;
	const expected = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
	const write = `v=DKIM1; k=rsa; p=${expected}`;
	return check(
		'DKIM',
		name,
		() => lookup(name),
		(records) => {
			const found = records.join('\n') || null;
			if (records.length === 0) {
				const advice = 'Emails are signed, but nobody can verify it without this record.';
				return { state: 'missing', found, advice, write };
			}
			const published = /(?:^|;)\s*p=([^;]*)/i.exec(records[0]!)?.[1]?.replace(/\s/g, '');
			if (records.length > 1 || published !== expected) {
				const advice = 'It is not the key that signs, so every signature fails.';
				return { state: 'wrong', found, advice, write };
			}
			return { state: 'good', found, advice: 'It is the key that signs.', write: null };
		},
	);
}

/** Looks at the domain and then at each one above it, because a record there holds for all below. */
function checkDmarc(domain: string, reports: string, lookup: Lookup): Promise<MailRecord> {
	const labels = domain.split('.');
	const domains = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
	const walk = async () => {
		for (const one of domains) {
			const records = (await lookup(`_dmarc.${one}`)).filter((record) =>
				/^v=DMARC1\s*(?:;|$)/i.test(record),
			);
			if (records.length > 0) return records;
		}
		return [];
	};
	return check('DMARC', `_dmarc.${domain}`, walk, (records) => {
		const found = records.join('\n') || null;
		if (records.length === 0) {
			return {
				...{ state: 'missing', found },
				advice:
					'Gmail and Yahoo ask for it of whoever sends newsletters. This one changes nothing but sends you reports.',
				write: `v=DMARC1; p=none; rua=mailto:${reports}`,
			};
		}
		const policy = /;\s*p=\s*(none|quarantine|reject)\s*(?:;|$)/i.exec(records[0]!)?.[1];
		if (records.length > 1 || !policy) {
			const advice =
				records.length > 1
					? 'Two DMARC records count as none. Keep one.'
					: 'It names no policy: p=none, p=quarantine or p=reject.';
			return { state: 'wrong', found, advice, write: null };
		}
		const advice =
			policy.toLowerCase() === 'none'
				? 'It asks for reports only. Once they show no email of yours that fails, let it quarantine: p=quarantine.'
				: 'Emails that only pretend to be yours are kept from readers.';
		return { state: 'good', found, advice, write: null };
	});
}
