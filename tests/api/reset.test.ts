import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { auditLog, outbox, sessions, users } from '#db/schema.ts';
import { writersOf } from '#functions/lib/email-writers.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { hashPassword } from '#src/core/session/password.server.ts';
import * as api from '#src/core/session/session.api.ts';
import { COMMON_PASSWORD, ENDED_LINK, NO_RESET, PASSWORD_RULE } from '#src/core/session/session.ts';
import { renderDelivery } from '#src/features/mail/deliveries.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { openSession } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { startSmtp } from '#tests/support/smtp.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const EMAIL = 'admin@example.com';
const NEW = 'Another-horse-2';
const SECRET = 'a secret of more than 32 characters';
const withMail = { SITE_URL: 'https://groundtruth.test', SECRET, DATABASE_URL: ':memory:' };
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
let visitors = 0;
const visitor = () => fetchApi({ ip: `198.51.100.${visitors++ % 250}` });
const ask = (email = EMAIL, fetcher = visitor()) => call(api.requestReset, { email }, fetcher);
const reset = (token: string, password = NEW) =>
	call(api.resetPassword, { token, password }, visitor());
const ended = { code: 'validation', fields: { token: ENDED_LINK } };

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const smtp = await startSmtp();
	setEnv(parseEnv({ ...withMail, SMTP_URL: smtp.url }));
	await openSession(db);
	await db.update(users).set({ password: await hashPassword('Correct-horse-1') });
	const sent = () => db.select().from(outbox).where(eq(outbox.kind, 'reset'));
	/** Returns the token in the newest email that the mail server received. */
	async function token(): Promise<string> {
		const link = /https:\/\/groundtruth\.test\/admin#reset=([\w-]+)/;
		const newest = () => smtp.received.findLast(({ mail }) => link.test(mail.text ?? ''));
		await vi.waitFor(() => expect(newest()).toBeDefined());
		return link.exec(newest()!.mail.text!)![1]!;
	}
	const login = (password: string) => call(api.login, { email: EMAIL, password }, visitor());
	return { db, sent, token, login, ...smtp };
}

test('a mailed link sets a new password once and ends all sessions', async () => {
	const { db, token, login } = await setup();
	expect(await ask()).toEqual({ minutes: 30 });
	const link = await token();
	expect(await reset(link)).toEqual({ isReset: true });
	expect(await db.$count(sessions)).toBe(0);
	await expect(reset(link, 'Yet-another-horse-3')).rejects.toMatchObject(ended);
	await expect(login('Correct-horse-1')).rejects.toMatchObject({ code: 'unauthorized' });
	expect(await login(NEW)).toMatchObject({ isAuthenticated: true });
	const traces = (await db.select().from(auditLog)).map(({ action }) => action);
	expect(traces).toContain('set a new password by a mailed link');
	expect(await db.$count(outbox, eq(outbox.kind, 'account'))).toBe(1);
});

test('of five uses at once, one counts', async () => {
	const { token } = await setup();
	await ask();
	const link = await token();
	const all = await Promise.allSettled(Array.from({ length: 5 }, () => reset(link)));
	expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a link works for thirty minutes, and not a millisecond longer', async () => {
	const { token } = await setup();
	await ask();
	const link = await token();
	wait(30 * MINUTE);
	await expect(reset(link)).rejects.toMatchObject(ended);
	vi.setSystemTime(NOON.getTime() + 30 * MINUTE - 1);
	expect(await reset(link)).toEqual({ isReset: true });
});

test('a password that was changed meanwhile ends the links to another', async () => {
	const { db, token } = await setup();
	await ask();
	const link = await token();
	await db.update(users).set({ password: await hashPassword('Meanwhile-horse-5') });
	await expect(reset(link)).rejects.toMatchObject(ended);
});

test('a refused password leaves the link as it is', async () => {
	const { token } = await setup();
	await ask();
	const link = await token();
	await expect(reset(link, 'short')).rejects.toMatchObject({ fields: { password: PASSWORD_RULE } });
	await expect(reset(link, 'Password1')).rejects.toMatchObject({
		fields: { password: COMMON_PASSWORD },
	});
	expect(await reset(link)).toEqual({ isReset: true });
});

test('another address gets the same answer and no email', async () => {
	const { db, sent, received } = await setup();
	expect(await ask('nobody@example.com')).toEqual(await ask());
	expect((await sent()).map(({ recipient }) => recipient)).toEqual([EMAIL]);
	expect(received.map(({ to }) => to)).toEqual([EMAIL]);
	expect(JSON.stringify(await db.select().from(outbox))).not.toContain('nobody');
});

test('no table holds a link, and the desk shows none', async () => {
	const { db, sent, token } = await setup();
	await ask();
	const link = await token();
	expect(JSON.stringify(await db.select().from(outbox))).not.toContain(link.slice(0, 20));
	const [mail] = await sent();
	const shown = await renderDelivery(db, mail!.id, writersOf(db), new Date());
	expect(shown).toContain('Choose a new password');
	expect(shown).not.toContain(link);
});

test('forged, cut and foreign links are refused', async () => {
	const { token, url } = await setup();
	await ask();
	const link = await token();
	const changed = (link.startsWith('A') ? 'B' : 'A') + link.slice(1);
	const forged = [link.slice(0, -1), `${link}A`, changed, 'A', 'x'.repeat(1000)];
	for (const one of forged) await expect(reset(one)).rejects.toMatchObject(ended);
	setEnv(
		parseEnv({ ...withMail, SMTP_URL: url, SECRET: 'another secret of more than 32 letters' }),
	);
	await expect(reset(link)).rejects.toMatchObject(ended);
});

test('an email that is late by half an hour is not sent', async () => {
	const { db, sent } = await setup();
	await ask();
	const [mail] = await sent();
	const late = new Date(NOON.getTime() + 30 * MINUTE);
	await expect(writersOf(db).reset(mail!, late)).rejects.toBeInstanceOf(WithdrawnError);
});

test('where no mail is sent, nothing is reset, for any address', async () => {
	const { sent } = await setup();
	setEnv(parseEnv(withMail));
	for (const email of [EMAIL, 'nobody@example.com'])
		await expect(ask(email)).rejects.toMatchObject({ code: 'unavailable', message: NO_RESET });
	expect(await sent()).toEqual([]);
});

test('three links an hour for an address, whether it is the right one', async () => {
	await setup();
	for (const email of [EMAIL, 'nobody@example.com']) {
		for (let count = 0; count < 3; count++) await ask(email);
		await expect(ask(email)).rejects.toMatchObject({ code: 'rate_limited' });
	}
});
