import { expect, test } from 'vitest';
import { isAsset, ownPage } from './own.ts';

const page = (path: string) =>
	`<!doctype html><html><head><meta property="og:url" content="https://site.example${path}"></head><body><h1>A</h1></body></html>`;

test.each([
	['the page itself', page('/blog/a'), 'page'],
	['the page with a line end', `${page('/blog/a')}\n`, 'page'],
	['the word of the site that there is none', page('/404-article'), 'missing'],
	['another page', page('/blog/b'), undefined],
	['an article whose address begins as that word', page('/404s-explained'), undefined],
	['a cut page', page('/blog/a').slice(0, -40), undefined],
	['a login wall', '<html><body><h1>Hotel wifi login</h1></body></html>', undefined],
	['nothing', '', undefined],
])('%s is known as %3$s', (_, html, kind) => {
	expect(ownPage(html, '/blog/a')).toBe(kind);
});

test('an address in any script is compared as browsers write it', () => {
	const { pathname } = new URL('https://site.example/blog/überblick');
	expect(ownPage(page('/blog/überblick'), pathname)).toBe('page');
});

test.each([
	['/_astro/a.js', 'text/javascript; charset=utf-8', true],
	['/_astro/a.js', 'application/javascript', true],
	['/_astro/a.js', 'text/html', false],
	['/_astro/a.css', 'text/css', true],
	['/_astro/a.css', 'text/plain', false],
	['/_astro/a.woff2', 'font/woff2', true],
	['/_astro/a.woff2', 'application/octet-stream', true],
	['/pictures/a.png', 'image/png', true],
	['/logo.svg', 'image/svg+xml', true],
	['/pictures/a.png', 'application/json', false],
	['/pictures/a.png', 'text/html; charset=utf-8', false],
	['/pictures/a.png', null, false],
])('what belongs at %s may come as %s: %s', (path, type, is) => {
	expect(isAsset(path, type)).toBe(is);
});
