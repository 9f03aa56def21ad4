import { expect, test } from 'vitest';
import { emptyBundle } from './bundle.ts';
import { seoText } from './wordpress-notes.ts';

const facts = { title: 'Yoast and you', excerpt: 'A short account.', category: 'Tools' };

test.each([
	['_yoast_wpseo_title', '%%title%% %%page%% %%sep%% %%sitename%%', 'Yoast and you'],
	['_yoast_wpseo_title', 'Mine, 100% written by hand', 'Mine, 100% written by hand'],
	['_yoast_wpseo_title', '%%primary_category%%: %%title%%', 'Tools: Yoast and you'],
	['_yoast_wpseo_title', 'All about %%title%% in %%currentyear%%', ''],
	['rank_math_title', '%title% %sep% %sitename%', 'Yoast and you'],
	['_aioseo_title', '#post_title #separator_sa #site_title', 'Yoast and you'],
])('of the field %s with “%s” comes “%s”', (field, given, title) => {
	const bundle = emptyBundle('WordPress export');
	const meta = (name: string) => (name === field ? given : '');
	expect(seoText(bundle, 'post:1', 'title', meta, facts)).toBe(title);
	expect([...bundle.notes.keys()]).toEqual(given === title ? [] : ['post:1']);
});
