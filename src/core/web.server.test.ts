import { expect, test } from 'vitest';
import { requestPublicUrl } from './web.server.ts';

test.each([
	'http://[::127.0.0.1]:9/',
	'http://[::7f00:1]:9/',
	'http://[::a00:1]:9/',
	'http://[::ffff:127.0.0.1]:9/',
	'http://127.1:9/',
	'http://localhost:9/',
])('%s is refused before anything is connected', async (address) => {
	const signal = AbortSignal.timeout(5000);
	const asked = requestPublicUrl(new URL(address), { headers: {}, signal, reach: undefined });
	await expect(asked).rejects.toThrow(/is not allowed/);
});
