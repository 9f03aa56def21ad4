import { expect, test, vi } from 'vitest';
import { readdir } from 'node:fs/promises';
import * as newsletter from '#src/features/newsletter/newsletter.api.ts';
import * as api from '#src/core/builds/builds.api.ts';
import { getDatabaseStatus, recordBuild } from '#src/core/builds/health.server.ts';
import { call } from '#src/lib/endpoint.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';

const migrations = new URL('../../db/migrations/', import.meta.url);
const health = () => call(api.getHealth, {}, fetchApi());

test('health tells the schema version, and no build where none was made', async () => {
	await useTestDb();
	const applied = (await readdir(migrations)).filter((name) => name.endsWith('.sql'));
	expect(await health()).toEqual({
		status: 'ok',
		writes: true,
		schemaVersion: applied.length,
		builtAt: null,
	});
});

test('health tells when the site was built last', async () => {
	const db = await useTestDb();
	await recordBuild(db, new Date('2026-03-01T12:00:00Z'));
	await recordBuild(db, new Date('2026-03-02T12:00:00Z'));
	expect((await health()).builtAt).toBe('2026-03-02T12:00:00.000Z');
});

test('a database that is gone is no reason to end the process: the body says what is left, the log says it once', async () => {
	const db = await useTestDb();
	const log = vi.spyOn(console, 'error').mockImplementation(() => {});
	db.$client.close();
	for (let time = 0; time < 2; time++) {
		const response = await fetchApi()('/api/health');
		expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
		expect(await response.json()).toEqual({
			status: 'ok',
			writes: false,
			schemaVersion: null,
			builtAt: null,
		});
	}
	expect(log).toHaveBeenCalledOnce();
});

test('a database that is away for a while takes nothing away of what is known, and is asked again', async () => {
	const now = vi.spyOn(performance, 'now').mockReturnValue(0);
	const db = await useTestDb();
	await recordBuild(db, new Date('2026-03-02T12:00:00Z'));
	const before = await health();
	vi.spyOn(console, 'error').mockImplementation(() => {});
	const away = vi.spyOn(db.$client, 'execute').mockRejectedValue(new Error('ECONNREFUSED'));
	now.mockReturnValue(60_000);
	expect(await health()).toEqual({ ...before, writes: false });
	expect(await getDatabaseStatus(db)).toMatchObject({ answers: false });
	away.mockRestore();
	now.mockReturnValue(120_000);
	expect(await health()).toEqual(before);
});

test('where only writing fails, health says so, and tells the log when it goes on', async () => {
	const now = vi.spyOn(performance, 'now').mockReturnValue(0);
	const db = await useTestDb();
	const error = vi.spyOn(console, 'error').mockImplementation(() => {});
	const log = vi.spyOn(console, 'log').mockImplementation(() => {});
	await db.run("create trigger full before insert on meta begin select raise(abort, 'full'); end");
	expect(await health()).toMatchObject({
		status: 'ok',
		writes: false,
		schemaVersion: expect.any(Number),
	});
	expect([error.mock.calls.length, log.mock.calls.length]).toEqual([1, 0]);
	await db.run('drop trigger full');
	now.mockReturnValue(60_000);
	expect(await health()).toMatchObject({ writes: true });
	expect([error.mock.calls.length, log.mock.calls.length]).toEqual([1, 1]);
});

test('a database that does not answer keeps nobody waiting who asks whether the process lives', async () => {
	const db = await useTestDb();
	let answer = () => {};
	const execute = db.$client.execute.bind(db.$client) as (...args: unknown[]) => Promise<never>;
	const answered = new Promise<void>((resolve) => (answer = resolve));
	vi.spyOn(db.$client, 'execute').mockImplementation(async (...args) => {
		await answered;
		return execute(...args);
	});
	expect(await health()).toMatchObject({ status: 'ok', writes: false });
	answer();
	await vi.waitFor(async () => expect(await health()).toMatchObject({ writes: true }));
});

test('without keys the email service has empty strings', async () => {
	await useTestDb();
	const answer = await call(newsletter.getEmailjsConfig, {}, fetchApi());
	expect(answer).toEqual({ publicKey: '', serviceId: '', templateId: '' });
});

test('with keys the public ones are told, the private one never', async () => {
	await useTestDb();
	setEnv(
		parseEnv({
			EMAILJS_PUBLIC_KEY: 'public',
			EMAILJS_SERVICE_ID: 'service',
			EMAILJS_TEMPLATE_ID: 'template',
			EMAILJS_PRIVATE_KEY: 'private',
		}),
	);
	const answer = await call(newsletter.getEmailjsConfig, {}, fetchApi());
	expect(answer).toEqual({ publicKey: 'public', serviceId: 'service', templateId: 'template' });
});
