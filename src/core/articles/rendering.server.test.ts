import { expect, test } from 'vitest';
import { renderOrPlain } from './render.ts';
import { renderPreviewsInThread } from './render-thread.server.ts';
import { renderPreview } from './rendering.server.ts';

const none = new Map<string, string>();

test('the newest previews are kept by their content, and one that is asked for again stays', () => {
	const first = renderPreview('<p>First</p>', none);
	expect(renderPreview('<p>First</p>', none)).toBe(first);
	expect(renderPreview('<p>First</p>', new Map([['a', '<svg/>']]))).not.toBe(first);
	for (let count = 0; count < 18; count++) void renderPreview(`<p>${count}</p>`, none);
	expect(renderPreview('<p>First</p>', none)).toBe(first);
	for (let count = 18; count < 38; count++) void renderPreview(`<p>${count}</p>`, none);
	expect(renderPreview('<p>First</p>', none)).not.toBe(first);
});

test('a thread renders the same, and nothing on the thread that asked', async () => {
	await renderPreviewsInThread();
	const line = '&lt;'.repeat(500);
	const content = `<h2>Why</h2><pre><code class="language-bash">${`${line}\n`.repeat(3)}</code></pre>`;
	const { user } = process.threadCpuUsage();
	const { html, headings, problem } = await renderPreview(content, none);
	const spent = process.threadCpuUsage().user - user;
	const before = process.threadCpuUsage().user;
	expect({ html, headings, problem }).toEqual({
		...(await renderOrPlain(content).then(({ html, headings }) => ({ html, headings }))),
		problem: undefined,
	});
	expect(spent).toBeLessThan((process.threadCpuUsage().user - before) / 2);
});
