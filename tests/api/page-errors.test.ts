import { expect, test, vi } from 'vitest';
import { pageErrors, rateLimits } from '#db/schema.ts';
import { prunePageErrors } from '#src/features/errors/errors.server.ts';
import * as api from '#src/features/errors/errors.api.ts';
import { reportOf } from '#src/features/errors/scrub.ts';
import { MAX_ERRORS } from '#src/features/errors/errors.server.ts';
import { DAY, HOUR } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const stackOf = (mark = 'Cx3dP2_a', line = 1) =>
	`TypeError: x\n    at show (https://groundtruth.test/_astro/Likes.${mark}.js:${line}:22)\n    at https://groundtruth.test/_astro/Base.astro_astro_type_script_index_0_lang.${mark}.js:2:7`;
let visitors = 0;
const visitor = (headers = {}) => {
	const fetcher = fetchApi({ ip: `198.51.${(visitors >> 8) & 255}.${visitors++ & 255}` });
	return ((input, init) =>
		fetcher(input, {
			...init,
			headers: { 'User-Agent': FIREFOX, ...init?.headers, ...headers },
		})) as typeof fetch;
};
const report = (fields = {}, fetcher = visitor()) =>
	call(
		api.reportPageError,
		{ message: 'x is undefined', stack: stackOf(), path: '/blog/x', ...fields },
		fetcher,
	);

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	return { db, admin: await asAdmin(db) };
}

test('named secrets and tokens of a message are never kept', () => {
	const scrubbed = (message: string) => reportOf({ message }, '/').message;
	for (const secret of ['abc', 'S3cr3t', 'x.y-z_1'])
		for (const text of [
			`Bad token=${secret} here`,
			`apiKey=${secret}`,
			`password="${secret}"`,
			`reset_token=${secret}&next=1`,
			`Authorization: Bearer ${secret}`,
		])
			expect(scrubbed(text), text).not.toContain(secret);
	expect(scrubbed('Bad token=abc here')).toBe('Bad token=… here');
	for (const plain of [
		'Unexpected token: }',
		'Unexpected token < in JSON at position 0',
		"Cannot read properties of undefined (reading 'key')",
		'x = 5 is odd',
	])
		expect(scrubbed(plain)).toBe(plain);
});

test('an error is one row for each place, with count, times and versions', async () => {
	const { admin } = await setup();
	await report();
	vi.setSystemTime(NOON.getTime() + HOUR);
	await report({ stack: stackOf('Other-12'), path: '/about' });
	await report({ stack: stackOf('Other-12', 9) });
	const rows = await call(api.listPageErrors, {}, admin);
	expect(rows).toHaveLength(2);
	expect(rows.find(({ count }) => count === 2)).toMatchObject({
		message: 'x is undefined',
		stack:
			'at show (/_astro/Likes.js:1:22)\nat /_astro/Base.astro_astro_type_script_index_0_lang.js:2:7',
		path: '/about',
		browser: 'Firefox on Linux',
		firstVersion: 'Cx3dP2_a',
		lastVersion: 'Other-12',
		firstAt: NOON.toISOString(),
		lastAt: new Date(NOON.getTime() + HOUR).toISOString(),
	});
	const [first] = rows;
	expect(await call(api.dismissPageError, { id: first!.id }, admin)).toEqual({ dismissed: 1 });
	expect(await call(api.dismissPageError, { id: first!.id }, admin)).toEqual({ dismissed: 0 });
	expect(await call(api.listPageErrors, {}, admin)).toHaveLength(1);
});

test('nothing about a reader is kept, whatever a page sends', async () => {
	const { db } = await setup();
	const secret = 'eyJhbGciOiJIUzI1NiJ9eyJzdWIiOiIxMjM0';
	await report({
		message: `No ada.king+x@example.com at https://a.example/x?token=${secret}#me, “${'my words '.repeat(9)}”, ${secret}, call +1 5551234567`,
		stack: `${stackOf()}\n    at run (https://groundtruth.test/preview?token=${secret}:1:1)`,
		path: `/preview?token=${secret}`,
	});
	const [row] = await db.select().from(pageErrors);
	const kept = JSON.stringify(row);
	for (const part of [
		'ada.king',
		'example.com"',
		'token',
		secret,
		'my words my words',
		'5551234567',
	])
		expect(kept, part).not.toContain(part);
	expect(row).toMatchObject({ path: '/preview' });
	expect(row!.message).toMatch(/^No \[address\] at https:\/\/a\.example\/x/);
});

test.each([
	['a browser’s extension', { stack: 'at x (chrome-extension://abcdef/y.js:1:2)' }],
	['no script of ours', { stack: 'at x (https://evil.example/y.js:1:2)' }],
	['ours called by an extension', { stack: `${stackOf()}\n at x (moz-extension://a-b/y.js:1:2)` }],
	['no stack', { stack: '' }],
])('%s leaves nothing', async (_what, fields) => {
	const { db } = await setup();
	expect(await report(fields)).toEqual({});
	expect(await db.$count(pageErrors)).toBe(0);
});

test('where Global Privacy Control asks, nothing is kept, not even that something came', async () => {
	const { db } = await setup();
	expect(await report({}, visitor({ 'Sec-GPC': '1' }))).toEqual({});
	expect(await db.$count(pageErrors)).toBe(0);
	expect(await db.$count(rateLimits)).toBe(0);
});

test('twenty reports an hour of one network, five hundred of all, two hundred different ones', async () => {
	const { db } = await setup();
	const one = visitor();
	for (let count = 0; count < 20; count++) await report({}, one);
	await expect(report({}, one)).rejects.toMatchObject({ code: 'rate_limited' });
	for (let count = 20; count < 500; count++) await report({ stack: stackOf('Cx3dP2_a', count) });
	await expect(report()).rejects.toMatchObject({ code: 'rate_limited' });
	expect(await db.$count(pageErrors)).toBe(MAX_ERRORS);
	vi.setSystemTime(NOON.getTime() + HOUR);
	// One that is known is still counted.
	await report();
	const counts = (await db.select().from(pageErrors)).map(({ count }) => count);
	expect(Math.max(...counts)).toBe(21);
});

test('what is too long or no report is refused', async () => {
	const { db } = await setup();
	for (const fields of [{ stack: 'x'.repeat(10_001) }, { message: 7 }, { path: undefined }])
		await expect(report(fields)).rejects.toMatchObject({ code: 'validation' });
	await expect(report({ stack: 'x'.repeat(20_000) })).rejects.toMatchObject({ code: 'too_large' });
	expect(await db.$count(pageErrors)).toBe(0);
});

test('an error that has not happened for ninety days goes', async () => {
	const { db } = await setup();
	await report();
	await prunePageErrors(db, new Date(NOON.getTime() + 90 * DAY));
	expect(await db.$count(pageErrors)).toBe(1);
	await prunePageErrors(db, new Date(NOON.getTime() + 90 * DAY + 1));
	expect(await db.$count(pageErrors)).toBe(0);
});

test('a page makes the same of an error as the server', () => {
	const error = { name: 'TypeError', message: 'x of “me@example.com”', stack: stackOf() };
	const sent = reportOf(error, '/blog/x');
	expect(sent.message).toBe('TypeError: x of “[address]”');
	expect(reportOf({ message: sent.message, stack: sent.stack }, sent.path)).toEqual(sent);
});
