import { expect, test } from 'vitest';
import { browserOf } from './browser.ts';

test.each([
	['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
	[
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
		'Edge on Windows',
	],
	[
		'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
		'Safari on macOS',
	],
	[
		'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1',
		'Chrome on iPhone',
	],
	[
		'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
		'Chrome on Android',
	],
	['curl/8.5.0', 'curl'],
	['', 'An unknown browser'],
	['Something (Linux)', 'A browser on Linux'],
])('%s is %s', (userAgent, words) => {
	expect(browserOf(userAgent)).toBe(words);
});

test('a user agent is read no further than any real one is long', () => {
	expect(browserOf(`${'Version/'.repeat(2000)} Safari/604.1`)).toBe('An unknown browser');
});
