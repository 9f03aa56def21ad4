import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS as base } from '#src/site.ts';
import { SITE } from './merge.ts';

test('fields that only one of two changed are both kept', () => {
	const { merged, disputed } = SITE.merge(
		base,
		{ ...base, name: 'Mine' },
		{ ...base, tagline: 'Theirs', navigation: [] },
	);
	expect(merged).toEqual({ ...base, name: 'Mine', tagline: 'Theirs', navigation: [] });
	expect(disputed).toEqual([]);
});

test('a field that both changed to the same is none to choose, one that differs is', () => {
	const mine = { ...base, name: 'Same', tagline: 'Mine', sections: [] };
	const theirs = { ...base, name: 'Same', tagline: 'Theirs' };
	const { merged, disputed } = SITE.merge(base, mine, theirs);
	expect(disputed).toEqual(['tagline']);
	expect(merged).toEqual({ ...base, name: 'Same', tagline: 'Mine', sections: [] });
});

test('lists are compared by what is in them', () => {
	expect(SITE.between(base, { ...base, navigation: [...base.navigation] })).toEqual([]);
	expect(SITE.between(base, { ...base, navigation: base.navigation.toReversed() })).toEqual([
		'navigation',
	]);
});
