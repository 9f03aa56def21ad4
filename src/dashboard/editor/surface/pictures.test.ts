// @vitest-environment jsdom
import type { Editor } from '@tiptap/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { closeArticle } from '#src/dashboard/editor/article/article.ts';
import { describeOnce } from '#src/dashboard/media/described.store.ts';
import { call } from '#src/lib/endpoint.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { openSurface } from '#tests/support/surface.ts';
import { pasteInto } from './clipboard.store.ts';
import { holdPlace } from './uploads.ts';
import type { Described } from './views.ts';

vi.mock(import('#src/lib/endpoint.ts'), async (original) => ({
	...(await original()),
	call: vi.fn(),
}));

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const FAR = 'https://example.com/far.png';
const NOTE = ' [The picture stays at example.com: upload it to show it.]';

let editor: Editor;
let fetched: string[];
/** The description that Media has of each image. */
let stored: string;
beforeEach(() => {
	Element.prototype.scrollIntoView = () => undefined;
	fetched = [];
	stored = '';
	vi.mocked(call).mockImplementation(({ path }, input) => {
		if (path === '/api/admin/media/:id') {
			const { alt } = input as { alt?: string };
			stored = alt ?? stored;
			return Promise.resolve({ alt: stored } as never);
		}
		if (path === '/api/admin/media') {
			return Promise.resolve({ url: '/api/media/1', alt: '', width: 1, height: 1 } as never);
		}
		const { url } = input as { url: string };
		fetched.push(url);
		if (url.includes('gone')) {
			const fields = { url: 'example.com answered 404.' };
			return Promise.reject(new AppError('validation', MESSAGES.validation, { fields }));
		}
		return Promise.resolve({ name: 'far.gif', data: PIXEL } as never);
	});
});
afterEach(() => {
	editor.destroy();
	$toasts.set([]);
});

function open(article: string) {
	editor = openSurface(article, { element: document.body });
	return () => closeArticle(editor.state.doc).replaceAll('\n', '');
}

/** Pastes into an empty article, and returns its HTML as it comes to be. */
function paste(data: Record<string, string>) {
	const html = open('<p></p>');
	const clipboard = { files: [], getData: (type: string) => data[type] ?? '' };
	pasteInto(editor, clipboard as unknown as DataTransfer, {
		isPlain: false,
		takesTitle: () => false,
		onTitle: () => undefined,
	});
	return html;
}
const picture = (alt: string) =>
	`<figure><img src="/api/media/1" alt="${alt}" width="1" height="1"></figure>`;

test('a picture of another site is stored, and stands where its link stood', async () => {
	const html = paste({
		'text/html': `<p>Before</p><p><img src="${FAR}" alt="A chart"></p><p>See <img src="${FAR}"> here</p><p>After</p>`,
	});
	expect(html()).toContain(`<a href="${FAR}">A chart</a>${NOTE}`);
	await vi.waitFor(() =>
		expect(html()).toBe(
			`<p>Before</p>${picture('A chart')}<p>See  here</p>${picture('')}<p>After</p>`,
		),
	);
	expect(fetched).toEqual([FAR]);
	expect($toasts.get()).toEqual([]);
});

test('the address of a picture on a line of its own becomes the picture', async () => {
	const address = `${FAR}?w=1&copy=2`;
	const html = paste({ 'text/plain': ` ${address}\n` });
	await vi.waitFor(() => expect(html()).toBe(picture('')));
	expect(fetched).toEqual([address]);
});

test('where pictures cannot be had their links stay, and one sentence says why', async () => {
	const html = paste({
		'text/plain':
			'## Two\n\n![One](https://example.com/gone1.png)\n\n![Two](https://example.com/gone2.png)',
	});
	await vi.waitFor(() => expect($toasts.get()).toHaveLength(1));
	expect($toasts.get()[0]).toMatchObject({
		title: '2 pictures stay where they are',
		description: 'example.com answered 404. A link stands in its place.',
	});
	expect(html()).toBe(
		`<h2>Two</h2><p><a href="https://example.com/gone1.png">One</a>${NOTE}</p>` +
			`<p><a href="https://example.com/gone2.png">Two</a>${NOTE}</p>`,
	);
});

test('a list keeps its words beside the picture', async () => {
	const html = paste({ 'text/html': `<ul><li><img src="${FAR}" alt="A"></li><li>B</li></ul>` });
	await vi.waitFor(() =>
		expect(html()).toBe(`<ul><li><a href="${FAR}">A</a></li><li>B</li></ul>${picture('A')}`),
	);
});

test('nothing is put into a text that was closed meanwhile', async () => {
	let answer = (_: unknown) => {};
	vi.mocked(call).mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
	paste({ 'text/html': `<p><img src="${FAR}" alt="A"></p>` });
	await vi.waitFor(() => expect(call).toHaveBeenCalled());
	editor.destroy();
	answer({ name: 'far.gif', data: PIXEL });
	await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2));
	expect($toasts.get()).toEqual([]);
});

test('pictures of a gallery are moved by buttons, which keep the focus and say the place', () => {
	const figure = (name: string) => `<figure><img src="/${name}.png" alt="${name}"></figure>`;
	const html = open(`<figure data-gallery>${['A', 'B', 'C'].map(figure).join('')}</figure>`);
	const order = () =>
		html()
			.match(/(?<=alt=")\w/g)
			?.join('');
	const button = (name: string, by: number) =>
		document
			.querySelector(`img[alt="${name}"]`)!
			.closest('figure')!
			.querySelector<HTMLElement>(`[data-move="${by}"]`)!;
	const said = () => document.querySelector('.gallery-bar [role=status]')!.textContent;
	button('A', 1).click();
	expect([order(), said()]).toEqual(['BAC', 'Picture 2 of 3']);
	expect(document.activeElement).toBe(button('A', 1));
	(document.activeElement as HTMLElement).click();
	// It is the last one now: only the way back is left.
	expect([order(), said()]).toEqual(['BCA', 'Picture 3 of 3']);
	expect(document.activeElement).toBe(button('A', -1));
	button('A', 1).click();
	expect(order()).toBe('BCA');
	(document.activeElement as HTMLElement).click();
	expect(order()).toBe('BAC');
	editor.commands.undo();
	expect(order()).not.toBe('BAC');
});

test('an image asks for its description, unless somebody goes on writing', async () => {
	open('<p>Text</p>');
	editor.commands.focus();
	const [first, second] = [holdPlace(editor, 'a.png', 1), holdPlace(editor, 'b.png', 1)];
	first.arrive({ src: '/a.png', alt: '' });
	const description = document.activeElement!;
	expect(description.matches('.picture-alt input')).toBe(true);
	second.arrive({ src: '/b.png', alt: '' });
	expect(document.activeElement).toBe(description);
});

test('the first description of an image in a text is kept in Media; a later one stays in its text', async () => {
	open(
		'<figure><img src="/api/media/1" alt=""></figure><figure><img src="/api/media/1" alt=""></figure>',
	);
	editor.view.dom.addEventListener('describe', (event) => {
		const { src, alt } = (event as CustomEvent<Described>).detail;
		void describeOnce(src, alt);
	});
	const fields = document.querySelectorAll<HTMLInputElement>('.picture-alt input');
	const describe = (field: HTMLInputElement, alt: string) => {
		field.value = alt;
		for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
	};
	describe(fields[0]!, 'A cat');
	await vi.waitFor(() => expect(stored).toBe('A cat'));
	describe(fields[1]!, 'The same cat, asleep');
	await vi.waitFor(() => expect(vi.mocked(call).mock.calls.length).toBe(3));
	expect(stored).toBe('A cat');
});
