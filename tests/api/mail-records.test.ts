import { generateKeyPairSync } from 'node:crypto';
import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import packet from 'dns-packet';
import { expect, onTestFinished, test } from 'vitest';
import { users } from '#db/schema.ts';
import { DEFAULT_EMAIL } from '#src/core/session/session.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { ADMIN_EMAIL, asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { SITE_URL } from '#tests/support/setup.ts';
import { startSmtp } from '#tests/support/smtp.ts';

/** A DNS server with these TXT records, which this process asks. A record is cut into the parts that DNS allows. */
async function serveDns(zone: Record<string, string[]> | null): Promise<string[]> {
	const asked: string[] = [];
	const socket = createSocket('udp4', (message, { port, address }) => {
		const { id, questions = [] } = packet.decode(message);
		const { name } = questions[0]!;
		asked.push(name);
		const known = zone?.[name];
		const rcode = zone === null ? 2 : known ? 0 : 3;
		const answers = (known ?? []).map((text) => ({
			...{ type: 'TXT' as const, name, ttl: 60 },
			data: text.match(/[^]{1,200}/g)!,
		}));
		const reply = packet.encode({ type: 'response', id: id!, flags: rcode, questions, answers });
		socket.send(reply, port, address);
	});
	socket.bind(0, '127.0.0.1');
	await once(socket, 'listening');
	const before = dns.getServers();
	dns.setServers([`127.0.0.1:${socket.address().port}`]);
	onTestFinished(() => {
		dns.setServers(before);
		socket.close();
	});
	return asked;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
	modulusLength: 2048,
	publicKeyEncoding: { type: 'spki', format: 'der' },
	privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const KEY = publicKey.toString('base64');

async function check(zone: Record<string, string[]> | null, env: Record<string, string> = {}) {
	const asked = await serveDns(zone);
	setEnv(
		parseEnv({
			SITE_URL,
			SECRET: 'a secret that only the tests know',
			DATABASE_URL: ':memory:',
			MAIL_FROM: '"The Letter" <letter@News.blog.example>',
			ADMIN_EMAIL: 'owner@blog.example',
			...env,
		}),
	);
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const { domain, records } = await call(api.checkRecords, {}, admin);
	const [smtp, spf, dkim, dmarc] = records;
	return { db, admin, domain, asked, smtp: smtp!, spf: spf!, dkim: dkim!, dmarc: dmarc! };
}

const SIGNING = { MAIL_DKIM_SELECTOR: 'mail2026', MAIL_DKIM_KEY: privateKey };

test('a domain whose records are right is told so, with a policy of the domain above', async () => {
	const { domain, asked, spf, dkim, dmarc } = await check(
		{
			'news.blog.example': ['something=else', 'v=spf1 include:mail.example -all'],
			'mail2026._domainkey.news.blog.example': [`v=DKIM1; k=rsa; p=${KEY}`],
			'_dmarc.blog.example': ['v=DMARC1; p=quarantine; rua=mailto:x@blog.example'],
		},
		SIGNING,
	);
	expect(domain).toBe('news.blog.example');
	expect(spf).toMatchObject({ state: 'good', found: 'v=spf1 include:mail.example -all' });
	expect(dkim).toMatchObject({ state: 'good', write: null });
	expect(dmarc).toMatchObject({ state: 'good', found: expect.stringContaining('p=quarantine') });
	expect(asked).toContain('_dmarc.news.blog.example');
});

test('what is missing comes with the record to write', async () => {
	const { spf, dkim, dmarc } = await check({ 'news.blog.example': ['google-site=1'] }, SIGNING);
	expect(spf).toMatchObject({ state: 'missing', write: expect.stringMatching(/^v=spf1 .* -all$/) });
	expect(dkim).toMatchObject({ state: 'missing', write: `v=DKIM1; k=rsa; p=${KEY}` });
	expect(dmarc).toMatchObject({
		state: 'missing',
		name: '_dmarc.news.blog.example',
		write: 'v=DMARC1; p=none; rua=mailto:owner@blog.example',
	});
});

test('reports go to the account’s own address, or to the postmaster where nobody gave one', async () => {
	const ofAccount = await check({}, { ADMIN_EMAIL: '' });
	expect(ofAccount.dmarc.write).toBe(`v=DMARC1; p=none; rua=mailto:${ADMIN_EMAIL}`);
	const { db } = ofAccount;
	await db.update(users).set({ email: DEFAULT_EMAIL });
	const { records } = await call(api.checkRecords, {}, ofAccount.admin);
	expect(records.at(-1)!.write).toContain('rua=mailto:postmaster@news.blog.example');
});

test.each([
	[['v=spf1 +all'], 'every server of the world'],
	[['v=spf1 a mx all'], 'every server of the world'],
	[['v=spf1 a -all', 'v=spf1 mx -all'], 'Two SPF records'],
])('an SPF record %j is to be mended', async (records, advice) => {
	const { spf } = await check({ 'news.blog.example': records });
	expect(spf).toMatchObject({ state: 'wrong', advice: expect.stringContaining(advice) });
});

test.each([
	[['v=DMARC1; rua=mailto:x@y.example'], 'names no policy'],
	[['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'Two DMARC records'],
])('a DMARC record %j is to be mended', async (records, advice) => {
	const { dmarc } = await check({ '_dmarc.news.blog.example': records });
	expect(dmarc).toMatchObject({ state: 'wrong', advice: expect.stringContaining(advice) });
});

test('another key than the one that signs is found', async () => {
	const zone = { 'mail2026._domainkey.news.blog.example': ['v=DKIM1; p=MIIB'] };
	const { dkim } = await check(zone, SIGNING);
	expect(dkim).toMatchObject({ state: 'wrong', write: expect.stringContaining(KEY) });
});

test('where the server signs, or DNS fails, it is said that nothing is known', async () => {
	const { spf, dkim, dmarc } = await check(null);
	expect([spf.state, dkim.state, dmarc.state]).toEqual(['unknown', 'unknown', 'unknown']);
	expect(dkim).toMatchObject({ name: null, advice: expect.stringContaining('dkim=pass') });
	expect(spf.advice).toContain('does not answer');
});

test('the mail server is tried: what it says, or what to hand to whoever runs the server', async () => {
	const { smtp } = await check({});
	expect(smtp).toMatchObject({
		state: 'missing',
		write: expect.stringMatching(/^SMTP_URL=smtps:/),
	});
	const { url, connections, received } = await startSmtp();
	const open = await check({}, { SMTP_URL: url });
	expect(open.smtp).toMatchObject({ state: 'good', found: '127.0.0.1', write: null });
	expect([connections(), received.length]).toEqual([1, 0]);
	const shut = await check({}, { SMTP_URL: 'smtp://ada:not-to-be-told@127.0.0.1:9' });
	expect(shut.smtp).toMatchObject({ state: 'wrong', advice: expect.stringContaining('SMTP_URL') });
	expect(JSON.stringify(shut.smtp)).not.toContain('not-to-be-told');
});

test('it is for the admin', async () => {
	await useTestDb();
	expect((await fetchApi()('/api/admin/mail-records')).status).toBe(401);
});
