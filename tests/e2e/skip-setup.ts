import { expect, request, type APIRequestContext, type FullConfig } from '@playwright/test';

/** Skips the set-up, which a fresh site would open at each sign-in. Its own test starts a site of its own. */
export default async function skipSetup({ projects }: FullConfig): Promise<void> {
	for (const { use } of projects) {
		const api = await request.newContext({ baseURL: use.baseURL! });
		const data = { email: 'admin@example.com', password: 'Correct-Horse-7' };
		await api.post('/api/admin/login', { data });
		const skipped = await api.delete('/api/admin/setup');
		if (!skipped.ok()) throw new Error(`The set-up cannot be skipped: ${skipped.status()}`);
		await hasOwnPages(api);
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
