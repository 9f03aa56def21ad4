import { DrizzleQueryError } from 'drizzle-orm/errors';
import { expect, test } from 'vitest';
import { toLogLine, withoutAddresses } from '#src/core/log.server.ts';

test('words become a line, facts its fields, and an error keeps type, place and cause', () => {
	expect(toLogLine(['Building %s', 'pages\n'])).toEqual({ msg: 'Building pages' });
	const error = new TypeError('It broke.', { cause: new Error('The disk is full.') });
	expect(toLogLine([error, { requestId: '7' }])).toMatchObject({
		msg: 'It broke.',
		requestId: '7',
		err: { type: 'TypeError', message: 'It broke.', cause: { message: 'The disk is full.' } },
	});
	expect(toLogLine([error]).err).toHaveProperty(
		'stack',
		expect.stringContaining('host-log.test.ts'),
	);
	expect(toLogLine([])).toEqual({ msg: '' });
});

test('no line says what people typed or who they are', () => {
	const query = 'insert into subscribers (email) values (?)';
	const failed = new DrizzleQueryError(query, ['reader@example.com'], new Error('It is locked.'));
	const line = JSON.stringify(toLogLine([failed]));
	expect(line).toContain(query);
	expect(line).toContain('It is locked.');
	expect(line).not.toContain('reader');
	expect(toLogLine(['Mail to %s failed', 'reader@example.com']).msg).toBe(
		'Mail to [address] failed',
	);
});

test.each([
	['/unsubscribe/a.b%40example.com/now', '/unsubscribe/[address]/now'],
	['smtp://me:word@mail.example:465', 'smtp://[address]'],
	['node_modules/@libsql/client/lib.js:7', 'node_modules/@libsql/client/lib.js:7'],
	['/blog/data-leakage', '/blog/data-leakage'],
])('%s is logged as %s', (text, logged) => {
	expect(withoutAddresses(text)).toBe(logged);
});

test('a long hostile path is read in no time', () => {
	const before = process.threadCpuUsage();
	withoutAddresses('%4'.repeat(100_000));
	const { user, system } = process.threadCpuUsage(before);
	expect((user + system) / 1000).toBeLessThan(1000);
});
