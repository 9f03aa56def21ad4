import { test as base, expect } from '@playwright/test';

let visitors = 0;

/** The browser's own word that a native view transition was cut short by the next navigation: nothing is wrong. */
const CUT_SHORT = /^(InvalidStateError|AbortError): .*\bTransition was (aborted|skipped)/;

/** A visitor with an address of their own, whose console must stay free of errors. */
export const test = base.extend<{ consoleErrors: string[] }>({
	extraHTTPHeaders: async ({}, use, info) => {
		const n = info.workerIndex * 1000 + visitors++;
		await use({ 'X-Forwarded-For': `198.18.${Math.floor(n / 250) % 250}.${(n % 250) + 1}` });
	},
	consoleErrors: [
		async ({ page }, use) => {
			const errors: string[] = [];
			page.on('console', (message) => {
				if (message.type() === 'error') errors.push(message.text());
			});
			page.on('pageerror', (error) => {
				if (!CUT_SHORT.test(String(error))) errors.push(String(error));
			});
			await use(errors);
			expect(errors).toEqual([]);
		},
		{ auto: true },
	],
});

export { expect };
