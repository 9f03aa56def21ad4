import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { finishHtml } from './finish-html.ts';

const BUILT = { isAdmin: false, isServed: false };

test('a page has the same bytes wherever its islands were bundled', () => {
	const islands = (uid: string) =>
		`<p>uid="x"</p><astro-island uid="${uid}" client="use"><i uid="y"></i></astro-island>`;
	const here = finishHtml(islands('Z1aB'), BUILT);
	expect(here).toBe('<p>uid="x"</p><astro-island client="use"><i uid="y"></i></astro-island>');
	expect(finishHtml(islands('2cD4'), BUILT)).toBe(here);
	// A server that replaces modules finds them by their ids.
	expect(finishHtml(islands('Z1aB'), { ...BUILT, isServed: true })).toBe(islands('Z1aB'));
});

test('the policy allows the inline code of this page alone, and the style of islands is left out', () => {
	const rule = (code: string) => ` 'sha256-${hash('sha256', code, 'base64')}'`;
	const style = 'astro-island,astro-slot,astro-static-slot{display:contents}';
	const page = (rules: string, body: string) =>
		`<meta http-equiv="content-security-policy" content="style-src 'self'${rules};">${body}`;
	const own = '<style>p{color:red}</style><script>go()</script>';
	const given = page(
		rule('p{color:red}') + rule(style) + rule('other()') + rule('go()'),
		`<style>${style}</style>${own}`,
	);
	expect(finishHtml(given, BUILT)).toBe(page(rule('p{color:red}') + rule('go()'), own));
});

test('styles beside each other are one, by one rule of the policy', () => {
	const page = (rules: string, body: string) =>
		`<meta http-equiv="content-security-policy" content="script-src 'self';style-src 'self'${rules};">${body}`;
	const sha = (code: string) => `'sha256-${hash('sha256', code, 'base64')}'`;
	const given = page(` ${sha('a{}')} ${sha('b{}')}`, '<style>a{}</style><style>b{}</style>');
	expect(finishHtml(given, BUILT)).toBe(
		`<meta http-equiv="content-security-policy" content="script-src 'self';style-src ${sha('a{}b{}')} 'self';"><style>a{}b{}</style>`,
	);
});

test('scripts come after what is read, and first on the page that is a script', () => {
	const page = '<meta name="viewport" content="x"><script type="module" src="/a.js"></script>';
	expect(finishHtml(page, BUILT)).toBe(
		'<meta name="viewport" content="x"><script type="module" fetchpriority="low" src="/a.js"></script>',
	);
	expect(finishHtml(page, { ...BUILT, isAdmin: true })).toBe(
		'<meta name="viewport" content="x"><script type="module" async fetchpriority="high" src="/a.js"></script>',
	);
});
