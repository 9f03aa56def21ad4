/** Pages only, and none that is about one person. */
const NOT_PAGES = [
	'/api/*',
	'/admin',
	'/data/*',
	'/*.xml',
	'/*.json',
	'/unsubscribe*',
	'/preferences*',
];

/**
 * Speculation rules: browsers that know them fetch a page once a reader's pointer rests on its link. Its hash is part of
 * the content security policy.
 */
export const PREFETCH_RULES = JSON.stringify({
	prefetch: [
		{
			where: { and: [{ href_matches: '/*' }, { not: { href_matches: NOT_PAGES } }] },
			eagerness: 'moderate',
		},
	],
});
