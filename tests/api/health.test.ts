import { expect, test, vi } from 'vitest';
import { readdir } from 'node:fs/promises';
import * as newsletter from '#src/features/newsletter/newsletter.api.ts';
import * as api from '#src/features/publishing/publishing.api.ts';
import { recordBuild } from '#src/features/publishing/publishing.server.ts';
import { call } from '#src/lib/endpoint.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';

const migrations = new URL('../../db/migrations/', import.meta.url);
const health = () => call(api.getHealth, {}, fetchApi());

test('health tells the schema version, and no build where none was made', async () => {
	await useTestDb();
	const applied = (await readdir(migrations)).filter((name) => name.endsWith('.sql'));
	expect(await health()).toEqual({ status: 'ok', schemaVersion: applied.length, builtAt: null });
});

test('health tells when the site was built last', async () => {
	const db = await useTestDb();
	await recordBuild(db, new Date('2026-03-01T12:00:00Z'));
	await recordBuild(db, new Date('2026-03-02T12:00:00Z'));
	expect((await health()).builtAt).toBe('2026-03-02T12:00:00.000Z');
});

test('a database that is gone is a 503 that does not say why, and is logged', async () => {
	const db = await useTestDb();
	const log = vi.spyOn(console, 'error').mockImplementation(() => {});
	db.$client.close();
	const response = await fetchApi()('/api/health');
	expect(response.status).toBe(503);
	expect(response.headers.get('Cache-Control')).toBe('no-store');
	expect(await response.json()).toEqual({
		error: { code: 'unavailable', message: 'The database cannot be reached.' },
	});
	expect(log).toHaveBeenCalledOnce();
});

test('without keys the e-mail service has empty strings', async () => {
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
