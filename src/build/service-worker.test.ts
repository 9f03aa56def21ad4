import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { serviceWorkerOf } from './service-worker.ts';

test("each build's worker is another one", async () => {
	expect((await serviceWorkerOf('one', {})).split('\n')[0]).toBe('// one');
	expect(await serviceWorkerOf('one', {})).not.toBe(await serviceWorkerOf('two', {}));
});

test('its source runs by itself, and listens for what a worker is told', async () => {
	const listening: string[] = [];
	const scope = {
		location: { origin: 'https://site.example' },
		addEventListener: (name: string) => listening.push(name),
	};
	runInNewContext(await serviceWorkerOf('a build', { 'a.js': 12 }), { self: scope });
	expect(scope).toHaveProperty('sizes', { 'a.js': 12 });
	expect(listening).toEqual(['install', 'activate', 'message', 'fetch']);
});
