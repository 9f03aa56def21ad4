import { expect, test } from './fixtures.ts';

/** Compressed bytes and requests of a first load, before anybody does anything. Fonts: only the files in use. */
const budgets = [
	{ page: '/', html: 20_000, css: 14_000, js: 90_000, font: 105_000, requests: 30 },
	{ page: '/blog', html: 24_000, css: 14_000, js: 90_000, font: 105_000, requests: 28 },
	{
		page: '/blog/attention-in-plain-arithmetic',
		html: 24_000,
		css: 14_000,
		js: 75_000,
		font: 105_000,
		requests: 16,
	},
	{
		page: '/category/machine-learning',
		html: 14_000,
		css: 14_000,
		js: 75_000,
		font: 105_000,
		requests: 12,
	},
	{
		page: '/ai-best-practices',
		html: 45_000,
		css: 14_000,
		js: 75_000,
		font: 105_000,
		requests: 12,
	},
	{
		page: '/ai-best-practices/california',
		html: 20_000,
		css: 14_000,
		js: 75_000,
		font: 105_000,
		requests: 12,
	},
	{ page: '/privacy', html: 14_000, css: 14_000, js: 6_000, font: 105_000, requests: 12 },
] as const;

for (const { page: path, requests, ...limits } of budgets) {
	test(`${path} stays inside its budget`, async ({ page }) => {
		const bytes: Record<string, number> = { html: 0, css: 0, js: 0, font: 0 };
		let count = 0;
		const kinds: Record<string, string> = {
			document: 'html',
			stylesheet: 'css',
			script: 'js',
			font: 'font',
		};
		const measured: Promise<void>[] = [];
		page.on('requestfinished', (request) => {
			count++;
			const kind = kinds[request.resourceType()];
			if (!kind) return;
			measured.push(
				request.sizes().then(({ responseBodySize }) => {
					bytes[kind]! += responseBodySize;
				}),
			);
		});
		await page.goto(path);
		await page.waitForLoadState('networkidle');
		await Promise.all(measured);
		for (const [kind, limit] of Object.entries(limits)) {
			expect(bytes[kind], `${kind} of ${path}`).toBeLessThanOrEqual(limit);
			if (kind !== 'js') expect(bytes[kind], `${kind} of ${path}`).toBeGreaterThan(0);
		}
		expect(count, `requests of ${path}`).toBeLessThanOrEqual(requests);
		if (path.startsWith('/blog/')) {
			expect(bytes['html']! + bytes['css']! + bytes['font']!).toBeLessThanOrEqual(170_000);
		}
		test
			.info()
			.annotations.push({ type: 'bytes', description: JSON.stringify({ ...bytes, count }) });
	});
}

test('nothing is loaded from another host', async ({ page, baseURL }) => {
	const foreign: string[] = [];
	page.on('request', (request) => {
		if (!request.url().startsWith(baseURL!) && !request.url().startsWith('data:'))
			foreign.push(request.url());
	});
	for (const { page: path } of budgets) {
		await page.goto(path);
		await page.waitForLoadState('networkidle');
	}
	expect(foreign).toEqual([]);
});

test('the policy allows no inline script or style, and headers say the rest', async ({
	request,
}) => {
	for (const { page: path } of budgets) {
		const response = await request.get(path);
		const policy = /<meta http-equiv="content-security-policy" content="([^"]*)"/.exec(
			await response.text(),
		)?.[1];
		const directives = new Map(
			(policy ?? '').split(';').map((one) => {
				const [name = '', ...values] = one.trim().split(/\s+/);
				return [name, values];
			}),
		);
		for (const name of ['script-src', 'style-src']) {
			expect(directives.get(name), `${name} of ${path}`).toContain("'self'");
			expect(directives.get(name)).not.toContain("'unsafe-inline'");
			expect(directives.get(name)).not.toContain("'unsafe-eval'");
		}
		const headers = response.headers();
		expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
		expect(headers['strict-transport-security']).toContain('max-age=');
		expect(headers['x-content-type-options']).toBe('nosniff');
		expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
		expect(headers['permissions-policy']).toBeDefined();
		expect(headers['cross-origin-opener-policy']).toBe('same-origin');
		expect(headers['cross-origin-resource-policy']).toBe('same-origin');
	}
});
