import { expect, request, type APIRequestContext, type FullConfig } from '@playwright/test';
import { join } from 'node:path';
import { keepFreshSite } from './fresh-site.ts';

/**
 * Keeps the fresh site for tests that start one of their own, and skips the set-up, which it would open at each sign-in.
 */
export default async function skipSetup({ projects }: FullConfig): Promise<void> {
	for (const [at, { use }] of projects.entries()) {
		const api = await request.newContext({ baseURL: use.baseURL! });
		await hasOwnPages(api);
		if (at === 0) await keepFreshSite(`file:${join(process.env['E2E_FOLDER']!, 'site.db')}`);
		const data = { email: 'admin@example.com', password: 'Correct-Horse-7' };
		await api.post('/api/admin/login', { data });
		const skipped = await api.delete('/api/admin/setup');
		if (!skipped.ok()) throw new Error(`The set-up cannot be skipped: ${skipped.status()}`);
		await api.dispose();
	}
}

/** Waits until the pages are of this database: until they are built, those that an earlier run has left are served. */
async function hasOwnPages(api: APIRequestContext): Promise<void> {
	const { id } = (await (await api.get('/api/posts/data-leakage')).json()) as { id: string };
	await expect
		.poll(async () => (await api.get('/blog/data-leakage')).text(), { timeout: 300_000 })
		.toContain(id);
}
