// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { PreviewPage } from './PreviewPage.tsx';

const preview = {
	title: 'A draft',
	excerpt: 'In short.',
	author: 'Grace',
	category: { name: 'Vision', slug: 'vision', color: '#000000' },
	tags: ['Metrics'],
	readTime: 3,
	featuredImage: '',
	publishedAt: null,
	html: '<h2 id="why">Why</h2><p>Because.</p><h2 id="how">How</h2>',
	problem: null,
	headings: [
		{ depth: 2, slug: 'why', text: 'Why' },
		{ depth: 2, slug: 'how', text: 'How' },
	],
	state: 'draft',
	updatedAt: '2026-03-01T12:00:00.000Z',
	expiresAt: '2026-03-08T12:00:00.000Z',
};

function open(token: string, ...answers: Response[]) {
	history.replaceState(null, '', `/preview?token=${token}`);
	const asked: string[] = [];
	vi.stubGlobal('fetch', async (address: string) => {
		asked.push(address);
		return answers.shift();
	});
	render(<PreviewPage />);
	return asked;
}

const refusal = (status: number, code: string, message: string) =>
	Response.json({ error: { code, message } }, { status });

afterEach(cleanup);

test('the draft is shown as its page would be, and says that it is a preview', async () => {
	const asked = open('abc', Response.json(preview));
	expect(await screen.findByRole('heading', { level: 1, name: 'A draft' })).toBeTruthy();
	expect(asked).toEqual(['/api/preview/abc']);
	expect(screen.getByText('Because.')).toBeTruthy();
	expect(screen.getByRole('complementary').textContent).toMatch(
		/This article is a draft\. .*until March 8, 2026/,
	);
	expect(screen.getAllByRole('link', { name: 'How' })[0]!.getAttribute('href')).toBe('#how');
	expect(document.title).toBe('Preview: A draft');
});

test.each([
	[403, 'forbidden', 'This preview link has expired. Ask for a new one.'],
	[404, 'not_found', 'This preview link is not valid. Ask for a new one.'],
])('a link that is no more says so, and that trying again is no use: %i', async (...answer) => {
	open('old', refusal(...answer));
	expect(await screen.findByRole('heading', { name: 'No preview here' })).toBeTruthy();
	expect(screen.getByText(answer[2])).toBeTruthy();
	expect(screen.queryByRole('button')).toBeNull();
});

test('a failure can be tried again', async () => {
	open('abc', refusal(500, 'server', 'Something went wrong.'), Response.json(preview));
	const words = 'There was an error loading this article. Please try again later.';
	expect(await screen.findByText(words)).toBeTruthy();
	await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
	expect(await screen.findByRole('heading', { name: 'A draft' })).toBeTruthy();
});

test('an explainer comes to life in its figure, after the caption; an unknown one leaves the figure as it is', async () => {
	const figure = (name: string) =>
		`<figure data-explainer="${name}"><figcaption>Seen.</figcaption><table><tbody><tr><td>${name}</td></tr></tbody></table></figure>`;
	open('abc', Response.json({ ...preview, html: figure('sampler') + figure('constructor') }));
	const group = await screen.findByRole('group', { name: 'Try it: temperature and top-p' });
	const [known, unknown] = screen.getAllByRole('figure');
	expect(known!.contains(group)).toBe(true);
	expect(group.parentElement!.previousElementSibling!.textContent).toBe('Seen.');
	expect(screen.getByRole('cell', { name: 'sampler' })).toBeTruthy();
	expect(unknown!.outerHTML).toBe(figure('constructor'));
	await userEvent.click(screen.getByRole('button', { name: 'Draw 40' }));
	expect(screen.getByRole('list', { name: 'Drawn' }).children).toHaveLength(40);
});

test('the title and the introduction have curly quotation marks, as the page has', async () => {
	open('abc', Response.json({ ...preview, title: 'A "draft"', excerpt: "It's short." }));
	await screen.findByRole('heading', { level: 1, name: 'A “draft”' });
	screen.getByText('It’s short.');
});
