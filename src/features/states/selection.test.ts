import { expect, test } from 'vitest';
import { readSelection, selectionQuery } from './selection.ts';

const known = ['california', 'new-york', 'ohio', 'texas', 'wyoming'];
const usual = ['california', 'texas', 'new-york'];

test.each([
	['', usual],
	['?states=', usual],
	['?states=atlantis,compare', usual],
	['?states=texas,ohio', ['texas', 'ohio']],
	['?states=texas&states=ohio', ['texas', 'ohio']],
	['?states=Texas,%20OHIO', ['texas', 'ohio']],
	['?states=ohio,ohio,texas', ['ohio', 'texas']],
	['?states=ohio,atlantis', ['ohio', 'california']],
	['?states=california', ['california', 'texas']],
	['?states=ohio,texas,wyoming,new-york', ['ohio', 'texas', 'wyoming']],
])('%s shows %j', (search, slugs) => {
	expect(readSelection(search, known, usual)).toEqual(slugs);
});

test('an address reads back as the choice that it was made of', () => {
	const query = selectionQuery(['new-york', 'ohio']);
	expect(query).toBe('?states=new-york,ohio');
	expect(readSelection(query, known, usual)).toEqual(['new-york', 'ohio']);
});
