/** Addresses that are not prefetched: other files, and pages about one person. */
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
 * Speculation rules: supporting browsers fetch a page once the pointer rests on its link. Their hash is part of
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
