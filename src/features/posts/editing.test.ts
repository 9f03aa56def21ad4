import { describe, expect, test } from 'vitest';
import {
	draftForm,
	emptyForm,
	freeSlug,
	isImageAddress,
	metaTitleOf,
	minutesOf,
	postForm,
	slugOf,
	tagKey,
} from './editing.ts';
import { postStateOf } from '#src/core/posts/post-state.ts';

const form = { ...emptyForm, title: 'A title', categoryId: 'c1' };
const refusalOf = (values: object) =>
	postForm.safeParse({ ...form, ...values }).error?.issues[0]?.message;

test.each([
	['', true],
	['/api/media/a1', true],
	['/images/a b.png', true],
	['https://example.com/a.png', true],
	['http://example.com/ä.png', true],
	['//example.com/a.png', false],
	['/\\example.com/a.png', false],
	['/\t/example.com/a.png', false],
	['/a\n.png', false],
	['https://', false],
	['javascript:alert(1)', false],
	['data:image/png;base64,AAAA', false],
	['image.png', false],
	[' /a.png', false],
])('whether an image may have the address %j: %j', (address, may) => {
	expect(isImageAddress(address)).toBe(may);
});

test('minutes are counted in a moment, also of tags that never end', () => {
	const content = '<a b='.repeat(200_000);
	expect(minutesOf({ ...form, content })).toBe(5);
});

describe('the form', () => {
	test('nothing is needed for a draft', () => {
		expect(postForm.parse({ title: ' A title ', categoryId: 'c1' })).toEqual(form);
		expect(postForm.parse({})).toEqual(emptyForm);
	});

	test.each([
		['title', 200],
		['excerpt', 500],
		['slug', 100],
		['content', 50_000],
	])('%s may have %i characters', (field, limit) => {
		expect(refusalOf({ [field]: 'x'.repeat(limit) })).toBeUndefined();
		expect(refusalOf({ [field]: 'x'.repeat(limit + 1) })).toBe(
			`Use ${limit.toLocaleString('en-US')} characters or fewer`,
		);
	});

	test('tags have 100 characters at most, and there are 20', () => {
		const names = Array.from({ length: 20 }, (_, n) => `Tag ${n}`);
		expect(refusalOf({ tags: [...names.slice(1), 'x'.repeat(100)] })).toBeUndefined();
		expect(refusalOf({ tags: ['x'.repeat(101)] })).toBe('Use 100 characters or fewer');
		expect(refusalOf({ tags: [...names, 'one more'] })).toBe('Use 20 tags or fewer');
	});

	test.each([
		['a, B ,a,, c', ['a', 'B', 'c']],
		[
			['x', 'X', ' y  z ', null, 1],
			['x', 'y z', '1'],
		],
		[null, []],
		[{}, []],
	])('tags %j are %j', (tags, expected) => {
		expect(postForm.parse({ ...form, tags }).tags).toEqual(expected);
	});

	test.each([
		['7', 7],
		[7.9, 7],
		['12 min', 12],
		['1', 1],
		['0', null],
		[-3, null],
		['abc', null],
		['', null],
		[undefined, null],
		[true, null],
	])('a read time of %j is %j', (readTime, expected) => {
		expect(postForm.parse({ ...form, readTime }).readTime).toBe(expected);
	});

	test.each([
		[true, true],
		['true', true],
		['on', true],
		[1, true],
		['false', false],
		['', false],
		[null, false],
	])('published %j is %j', (published, expected) => {
		expect(postForm.parse({ ...form, published }).published).toBe(expected);
	});

	test.each(['', '/api/media/1', 'https://example.com/a.png', 'http://example.com/a.png'])(
		'%j is an image',
		(featuredImage) => expect(refusalOf({ featuredImage })).toBeUndefined(),
	);

	test.each(['a.png', '//evil.example', '/\\evil.example', 'javascript:x', 'data:x', 'https://'])(
		'%j is no image',
		(featuredImage) => expect(refusalOf({ featuredImage })).toMatch(/^The address of an image/),
	);

	test('a draft may be anything that can be typed', () => {
		const typed = { ...emptyForm, title: '', excerpt: 'x'.repeat(9999), publishedAt: 'soon' };
		expect(draftForm.parse(typed)).toEqual(typed);
		expect(draftForm.parse({})).toEqual(emptyForm);
	});
});

describe('the state', () => {
	const now = new Date('2026-03-01T12:00:00Z');
	const at = (ms: number) => new Date(now.getTime() + ms);
	test.each([
		[{ published: false, publishedAt: null }, 'draft'],
		[{ published: true, publishedAt: null }, 'published'],
		[{ published: true, publishedAt: at(0) }, 'published'],
		[{ published: true, publishedAt: at(1) }, 'scheduled'],
		[{ published: false, publishedAt: at(-1) }, 'unpublished'],
		[{ published: true, publishedAt: at(0), deletedAt: now }, 'deleted'],
	])('%j is %s', (post, state) => {
		expect(postStateOf({ deletedAt: null, ...post }, now)).toBe(state);
	});
});

describe('the slug', () => {
	test.each([
		[{ slug: '', title: 'On  Crème brûlée!' }, 'on-creme-brulee'],
		[{ slug: 'My Own_Slug', title: 'Other' }, 'my-own-slug'],
		[{ slug: '!!!', title: 'Title' }, 'title'],
		[{ slug: '', title: '人工智能' }, '人工智能'],
		[{ slug: '', title: '🎉' }, 'post'],
		[{ slug: '', title: '学'.repeat(100) }, '学'.repeat(60)],
		[{ slug: '', title: '𠀀'.repeat(100) }, '𠀀'.repeat(45)],
		[{ slug: '', title: 'x'.repeat(200) }, 'x'.repeat(100)],
		[{ slug: '', title: `${'x'.repeat(99)} y` }, 'x'.repeat(99)],
	])('of %j is %s', (given, slug) => expect(slugOf(given)).toBe(slug));

	test('gets the next free number where it is taken or reserved', () => {
		const taken = new Set(['a', 'a-2', 'x'.repeat(100)]);
		const free = (slug: string) => freeSlug(slug, (one) => taken.has(one));
		expect([free('b'), free('a'), free('page')]).toEqual(['b', 'a-3', 'page-2']);
		expect(free('x'.repeat(100))).toBe(`${'x'.repeat(98)}-2`);
	});
});

test.each([
	[{ readTime: 9, content: '<p>x</p>' }, 9],
	[{ content: '' }, 5],
	[{ content: '<p></p><img src="a b c">' }, 5],
	[{ content: '<p>one</p>' }, 1],
	[{ content: `<p>${'word '.repeat(200)}</p>` }, 1],
	[{ content: `<p>${'word '.repeat(201)}</p>` }, 2],
])('%# the minutes are those given, else words/200 rounded up, else 5', (values, minutes) => {
	expect(minutesOf({ ...form, ...values })).toBe(minutes);
});

test.each([
	['', ''],
	['A title', ''],
	['A title - Complete Guide 2025', ''],
	['Other - Complete Guide 2026', 'Other'],
	['A Complete Guide 2026', 'A Complete Guide 2026'],
])('the meta title %j is stored as %j', (metaTitle, stored) => {
	expect(metaTitleOf({ title: 'A title', metaTitle })).toBe(stored);
});

test('tags are the same whatever their case, spaces and hyphens; other signs count', () => {
	expect(tagKey('Machine  Learning')).toBe(tagKey('machine-learning'));
	expect(tagKey('C')).not.toBe(tagKey('C++'));
});
