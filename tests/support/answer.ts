import { beforeEach, vi } from 'vitest';

/** Address and body of each request of the running test. */
export const sent: [string, unknown][] = [];
beforeEach(() => {
	sent.length = 0;
});

/** What every request gets from now on. */
export function answer(make: () => Response): void {
	vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
		sent.push([url, JSON.parse(body)]);
		return make();
	});
}
