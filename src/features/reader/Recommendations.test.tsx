// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Recommendations } from './Recommendations.tsx';

const post = (id: string) => ({
	id,
	slug: `slug-${id}`,
	title: `Title ${id}`,
	excerpt: null,
	featuredImage: null,
	author: 'Grace',
	category: { name: 'Vision', slug: 'vision' },
	readTime: 5,
	publishedAt: null,
	views: 0,
	shareCount: 0,
});
const asked = vi.fn<(url: string) => Promise<Response>>();

beforeEach(() => {
	asked.mockReset();
	vi.stubGlobal('fetch', asked);
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test('three skeletons stand until four posts are there, of which three others are shown', async () => {
	let reply = (_: Response) => {};
	asked.mockReturnValue(new Promise((resolve) => (reply = resolve)));
	render(<Recommendations postId="2" />);
	expect(screen.getByRole('status', { name: 'Loading recommendations' }).children).toHaveLength(3);
	expect(asked.mock.calls.map(([url]) => url)).toEqual(['/api/posts?limit=4']);
	reply(Response.json(['1', '2', '3', '4'].map(post)));
	const links = await screen.findAllByRole('link');
	expect(links.map((link) => link.getAttribute('href')).sort()).toEqual([
		'/blog/slug-1',
		'/blog/slug-3',
		'/blog/slug-4',
	]);
	expect(screen.queryByRole('status')).toBeNull();
});

/** product.md section 8, and what brings it. */
test('a failure is told, and can be tried again', async () => {
	asked.mockResolvedValueOnce(new Response('', { status: 500 }));
	render(<Recommendations postId="2" />);
	expect((await screen.findByRole('alert')).textContent).toContain('Unable to load blog posts');
	asked.mockResolvedValueOnce(Response.json([post('1')]));
	await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
	expect(await screen.findByRole('link', { name: 'Title 1' })).toBeDefined();
	expect(screen.queryByRole('alert')).toBeNull();
});

test('where there is nothing else to read there is no heading', async () => {
	asked.mockResolvedValue(Response.json([post('2')]));
	const { container } = render(<Recommendations postId="2" />);
	await vi.waitFor(() => expect(container.textContent).toBe(''));
});
