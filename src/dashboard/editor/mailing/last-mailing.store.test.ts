import { expect, test } from 'vitest';
import { lastHow, rememberHow } from './last-mailing.store.ts';

test('a letter of its own is chosen anew for each article, every other way is remembered', () => {
	expect(lastHow()).toBe('issue');
	rememberHow('none');
	rememberHow('letter');
	expect(lastHow()).toBe('none');
	rememberHow('issue');
	expect(lastHow()).toBe('issue');
});
