// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MINUTE } from '#src/lib/dates.ts';
import { PopularPosts } from './PopularPosts.tsx';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	cleanup();
});

const post = (title: string, views = 0, shareCount = 0) => ({
	id: title,
	slug: title.toLowerCase(),
	title,
	readTime: 5,
	views,
	shareCount,
});

/** A server that answers with what `posts` holds, or fails without. Returns what was asked, and when. */
function serve(posts?: ReturnType<typeof post>[]) {
	const asked: string[] = [];
	vi.stubGlobal('fetch', async (url: string) => {
		asked.push(url);
		if (!posts) throw new TypeError('no network');
		return Response.json(posts);
	});
	return asked;
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

function show(hidden: boolean) {
	vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
	act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

test('five skeleton rows, then the trending posts that were read, with their views', async () => {
	const asked = serve(
		Array.from({ length: 7 }, (_, index) => post(`Post ${index}`, 30 - 10 * index)),
	);
	render(<PopularPosts kind="trending" />);
	expect(screen.getByRole('status', { name: 'Loading trending' }).children).toHaveLength(5);
	await pass(0);
	expect(asked).toEqual(['/api/posts/trending']);
	expect(rows()).toEqual([
		'Post 030 views · 5 min read',
		'Post 120 views · 5 min read',
		'Post 210 views · 5 min read',
	]);
	expect(screen.queryByRole('status')).toBeNull();
});

test.each([
	['trending', post('One', 19, 3)],
	['mostShared', post('One', 19, 3)],
	['mostShared', post('One', 40)],
] as const)('%s of too little gives its place to something else', async (kind, only) => {
	serve([only, post('Two')]);
	render(<PopularPosts kind={kind}>Start here</PopularPosts>);
	await pass(0);
	expect(screen.getByText('Start here')).toBeDefined();
	expect(screen.queryByRole('heading')).toBeNull();
});

test('three skeleton rows, then those that were shared most', async () => {
	const asked = serve(Array.from({ length: 4 }, (_, index) => post(`Post ${index}`, 9, 2 - index)));
	render(<PopularPosts kind="mostShared" />);
	expect(screen.getByRole('status', { name: 'Loading most shared' }).children).toHaveLength(3);
	await pass(0);
	expect(asked).toEqual(['/api/posts/most-shared']);
	expect(rows()).toEqual(['Post 02 shares · 5 min read', 'Post 11 share · 5 min read']);
});

test.each([
	['trending', MINUTE],
	['mostShared', 5 * MINUTE],
] as const)('%s is asked for again after %i ms, not before', async (kind, fresh) => {
	const asked = serve([post('One')]);
	render(<PopularPosts kind={kind} />);
	await pass(fresh - 1);
	expect(asked).toHaveLength(1);
	await pass(1);
	expect(asked).toHaveLength(2);
});

test('a hidden tab asks nothing, and asks at once when it is seen again, if its answer is old', async () => {
	const asked = serve([post('One')]);
	render(<PopularPosts kind="trending" />);
	await pass(10);
	show(true);
	await pass(10 * MINUTE);
	expect(asked).toHaveLength(1);
	show(false);
	expect(asked).toHaveLength(2);
	show(true);
	await pass(MINUTE - 1);
	show(false);
	expect(asked).toHaveLength(2);
});

test('nothing is asked for any more once it is gone', async () => {
	const asked = serve([post('One')]);
	const { unmount } = render(<PopularPosts kind="trending" />);
	await pass(0);
	unmount();
	await pass(5 * MINUTE);
	expect(asked).toHaveLength(1);
});

test('without a network it says so, and shows the posts once there is one', async () => {
	serve();
	render(<PopularPosts kind="trending" />);
	await pass(0);
	expect(screen.getByText('Unable to load blog posts')).toBeDefined();
	serve([post('One', 20)]);
	await pass(MINUTE);
	expect(rows()).toEqual(['One20 views · 5 min read']);
	serve();
	await pass(MINUTE);
	expect(rows()).toEqual(['One20 views · 5 min read']);
	expect(screen.queryByText('Unable to load blog posts')).toBeNull();
});

test('where proof is invented only a post without a figure gets one: below the real ones, falling, the same on the next visit', async () => {
	const posts = [
		post('Real', 7),
		...['First', 'Second', 'Third', 'Fourth'].map((one) => post(one)),
	];
	serve(posts);
	const first = render(<PopularPosts kind="trending" invented />);
	await pass(0);
	const drawn = rows();
	expect(drawn[0]).toBe('Real7 views · 5 min read');
	const figures = drawn.map((row) => Number(/(\d*) views?/.exec(row)?.[1] ?? 0));
	expect(figures).toEqual([...figures].sort((one, other) => other - one));
	expect(figures.slice(1).every((figure) => figure < 7)).toBe(true);
	first.unmount();
	serve([posts[0]!, ...posts.slice(1).reverse()]);
	render(<PopularPosts kind="trending" invented />);
	await pass(0);
	expect(rows().toSorted()).toEqual(drawn.toSorted());
});

test('where nothing is counted yet, invented figures are those of product.md section 7, the most first', async () => {
	serve(['A', 'B', 'C', 'D', 'E'].map((one) => post(one)));
	render(<PopularPosts kind="mostShared" invented />);
	await pass(0);
	const figures = rows().map((row) => Number(/(\d+) shares/.exec(row)![1]));
	expect(figures).toEqual([...figures].sort((one, other) => other - one));
	for (const figure of figures) {
		expect(figure).toBeGreaterThanOrEqual(10);
		expect(figure).toBeLessThanOrEqual(99);
	}
});

test('articles that the page has nowhere else fill the places that nothing was counted for', async () => {
	serve([post('Read', 40), post('Newest'), post('Newer')]);
	const initial = ['One', 'Two', 'Three', 'Read', 'Five', 'Six'].map((one) => post(one));
	render(<PopularPosts kind="trending" invented initial={initial} />);
	await pass(0);
	const names = rows().map((row) => /^\D+/.exec(row)![0]);
	expect(names[0]).toBe('Read');
	expect(names.toSorted()).toEqual(['Five', 'One', 'Read', 'Three', 'Two']);
});

test('where few readings are expected, what stands in their place is there from the start', async () => {
	serve([post('One', 40)]);
	render(
		<PopularPosts kind="trending" expectsFew>
			Start here
		</PopularPosts>,
	);
	expect(screen.getByText('Start here')).toBeDefined();
	expect(screen.queryByRole('status')).toBeNull();
	await pass(0);
	expect(rows()).toEqual(['One40 views · 5 min read']);
});
