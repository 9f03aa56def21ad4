import { request, type FullConfig } from '@playwright/test';

/** Skips the set-up, which each site would open at every sign-in. */
export default async function skipSetup({ projects }: FullConfig): Promise<void> {
	for (const { use } of projects) {
		const api = await request.newContext({ baseURL: use.baseURL! });
		const data = { email: 'admin@example.com', password: 'Correct-Horse-7' };
		await api.post('/api/admin/login', { data });
		const skipped = await api.delete('/api/admin/setup');
		if (!skipped.ok()) throw new Error(`The set-up cannot be skipped: ${skipped.status()}`);
		await api.dispose();
	}
}
