import { expect, test, vi } from 'vitest';
import { ENV_NAMES, EnvError, getEnv, getSecret, isLoopback, parseEnv, setEnv } from './env.ts';

const SECRET = 'a secret of 32 characters or more';

test('with nothing set everything has its default', () => {
	expect(parseEnv({})).toMatchObject({
		HOST: '127.0.0.1',
		PORT: 8888,
		SITE_URL: 'http://127.0.0.1:8888',
		DATABASE_URL: 'file:db/local.db',
		TRUST_PROXY: false,
		INVENTED_PROOF: true,
		STYLEGUIDE: false,
		DIGEST_HOUR: 9,
		DIGEST_TIME_ZONE: 'America/New_York',
	});
	expect(parseEnv({}).SECRET).toBeUndefined();
});

test('a variable that is set to nothing counts as not set', () => {
	const empty = Object.fromEntries(ENV_NAMES.map((name) => [name, '']));
	expect(parseEnv(empty)).toEqual(parseEnv({}));
});

test('variables that are not ours are ignored, whatever they hold', () => {
	expect(parseEnv({ PATH: '', NODE_ENV: 'nonsense', port: 'x', SITE_URLS: 'x' })).toEqual(
		parseEnv({}),
	);
});

test.each([
	['PORT', 'eighty'],
	['PORT', '-1'],
	['PORT', '65536'],
	['PORT', '80.5'],
	['SITE_URL', 'groundtruth.example'],
	['SITE_URL', 'ftp://groundtruth.example'],
	['SITE_URL', 'https://groundtruth.example/sub'],
	['SITE_URL', 'https://groundtruth.example/?page=1'],
	['SITE_URL', 'https://me:word@groundtruth.example'],
	['DATABASE_URL', 'local.db'],
	['DATABASE_URL', 'postgres://localhost/db'],
	['DATABASE_READ_URL', 'file:replica.db'],
	['DATABASE_READ_URL', 'http://replica.example,,http://other.example'],
	['SECRET', 'x'.repeat(31)],
	['ADMIN_EMAIL', 'admin'],
	['TRUST_PROXY', 'maybe'],
	['SMTP_URL', 'http://localhost'],
	['MAIL_DKIM_SELECTOR', 'a b'],
	['MAIL_DKIM_KEY', 'no key'],
	['DIGEST_HOUR', '-1'],
	['DIGEST_HOUR', '24'],
	['DIGEST_HOUR', '9.5'],
	['DIGEST_TIME_ZONE', 'Mars/Olympus'],
	['MAILERLITE_API_URL', 'localhost'],
	['EMAILJS_API_URL', '//api.example'],
	['BUILD_HOOK_URL', 'hook'],
	['INDEXNOW_KEY', 'x'.repeat(7)],
	['INDEXNOW_KEY', 'x'.repeat(129)],
	['INDEXNOW_KEY', '../secret'],
	['INDEXNOW_URL', 'api.indexnow.org'],
	['INVENTED_PROOF', 'yes please'],
	['GA_MEASUREMENT_ID', 'UA-12345'],
])('%s that is malformed names itself, and shows no value: %s', (name, value) => {
	const parse = () => parseEnv({ [name]: value });
	expect(parse).toThrow(EnvError);
	expect(parse).toThrow(new RegExp(`^Invalid environment: ${name} [^\\n]+\\.$`));
	expect(parse).not.toThrow(value);
});

test('a file address without a file is malformed', () => {
	expect(() => parseEnv({ DATABASE_URL: 'file:' })).toThrow('DATABASE_URL');
});

test('all malformed variables are named at once', () => {
	expect(() => parseEnv({ PORT: 'x', SITE_URL: 'x' })).toThrow(/PORT .*; SITE_URL /);
});

test.each([
	['PORT', '0', 0],
	['PORT', '65535', 65535],
	['SITE_URL', 'https://groundtruth.example/', 'https://groundtruth.example'],
	['SITE_URL', 'https://blog.example:8443//', 'https://blog.example:8443'],
	['DATABASE_URL', ':memory:', ':memory:'],
	['DATABASE_URL', 'libsql://db.example', 'libsql://db.example'],
	['SECRET', 'x'.repeat(32), 'x'.repeat(32)],
	['INDEXNOW_KEY', 'abc-1234', 'abc-1234'],
	['INDEXNOW_KEY', 'x'.repeat(128), 'x'.repeat(128)],
	['TRUST_PROXY', 'on', true],
	['TRUST_PROXY', '1', true],
	['INVENTED_PROOF', 'off', false],
	['INVENTED_PROOF', 'false', false],
	['STYLEGUIDE', 'on', true],
	['INVENTED_PROOF', '0', false],
	['SMTP_URL', 'smtps://user:password@mail.example:465', 'smtps://user:password@mail.example:465'],
	['GA_MEASUREMENT_ID', 'G-ABC123', 'G-ABC123'],
])('%s=%s is understood', (name, value, expected) => {
	expect(parseEnv({ [name]: value })).toMatchObject({ [name]: expected });
});

test.each([
	[{ HOST: '0.0.0.0', PORT: '80' }, 'http://localhost:80'],
	[{ HOST: '::1' }, 'http://[::1]:8888'],
	[{ HOST: 'box.local', PORT: '9000' }, 'http://box.local:9000'],
	[{ HOST: 'box.local', SITE_URL: 'https://groundtruth.example' }, 'https://groundtruth.example'],
])('%j is reached at %s', (source, address) => {
	expect(parseEnv(source).SITE_URL).toBe(address);
});

test.each([
	['http://127.0.0.1:8888', true],
	['http://127.1.2.3', true],
	['http://localhost', true],
	['http://site.localhost:8888', true],
	['http://[::1]:8888', true],
	['https://groundtruth.example', false],
	['https://localhost.example', false],
	['https://notlocalhost', false],
	['http://128.0.0.1', false],
	['http://127.evil.example', false],
])('whether %s is for its own machine only: %s', (url, expected) => {
	expect(isLoopback(url)).toBe(expected);
});

test.each([
	[{}, true],
	[{ SITE_URL: 'http://localhost:9000' }, true],
	[{ HOST: '0.0.0.0' }, true],
	[{ HOST: '192.0.2.7' }, false],
	[{ SITE_URL: 'https://groundtruth.example' }, false],
	[{ SITE_URL: 'https://groundtruth.example', INVENTED_PROOF: '' }, false],
	[{ SITE_URL: 'https://groundtruth.example', INVENTED_PROOF: 'on' }, true],
	[{ SITE_URL: 'http://localhost:9000', INVENTED_PROOF: 'off' }, false],
	[{ NETLIFY: 'true', URL: 'https://a.netlify.app' }, false],
	[{ NETLIFY: 'true', DEPLOY_PRIME_URL: 'https://deploy-preview-1--a.netlify.app' }, false],
	[{ SITE_ID: '5a9f728b', URL: 'https://a.netlify.app' }, false],
	[{ NETLIFY: 'true', INVENTED_PROOF: 'on' }, true],
	[{ NETLIFY: '' }, true],
	[{ URL: 'https://a.example' }, true],
])('%j shows invented proof: %s', (source, isShown) => {
	expect(parseEnv(source).INVENTED_PROOF).toBe(isShown);
});

test("a site's address is that of its root, and says so otherwise", () => {
	expect(() => parseEnv({ SITE_URL: 'https://example.com/blog' })).toThrow(
		'SITE_URL must be an address without a path, such as https://blog.example',
	);
});

test("the process's environment is parsed once", () => {
	vi.stubEnv('PORT', '1234');
	setEnv();
	expect(getEnv().PORT).toBe(1234);
	vi.stubEnv('PORT', '4321');
	expect(getEnv().PORT).toBe(1234);
	setEnv();
	expect(getEnv().PORT).toBe(4321);
});

test('a secret that is not set is said, not made up', () => {
	setEnv(parseEnv({ SECRET }));
	expect(getSecret()).toBe(SECRET);
	setEnv(parseEnv({}));
	expect(getSecret).toThrow('SECRET is not set');
});
