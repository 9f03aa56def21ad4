import { expect, test } from 'vitest';
import { isActive, paths } from './site.ts';

test('Home is active on exactly /, the others by path prefix', () => {
	const active = (pathname: string) =>
		['/', '/blog', '/about'].filter((href) => isActive(href, pathname));
	expect(active('/')).toEqual(['/']);
	expect(active('/blog')).toEqual(['/blog']);
	expect(active('/blog/a')).toEqual(['/blog']);
	expect(active('/blogs')).toEqual([]);
	expect(active('/nowhere')).toEqual([]);
});

test('the first page of a list has no number', () => {
	expect([paths.blog(), paths.blog(1), paths.blog(2)]).toEqual(['/blog', '/blog', '/blog/page/2']);
	expect([paths.category('a'), paths.tag('a', 3)]).toEqual(['/category/a', '/tag/a/page/3']);
});
