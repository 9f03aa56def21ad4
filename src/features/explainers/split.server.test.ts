import { expect, test } from 'vitest';
import { renderArticle } from '#src/core/articles/render.ts';
import { splitAtExplainers } from './split.server.ts';

const caption = '<figcaption>Seen.</figcaption>';

test('an explainer comes after the caption of its figure, and nothing else changes', () => {
	const html = `<p>a</p><figure data-explainer="sampler">\n${caption}<table></table></figure><p>z</p>`;
	const parts = splitAtExplainers(html);
	expect(parts).toEqual([
		{ html: `<p>a</p><figure data-explainer="sampler">\n${caption}`, explainer: 'sampler' },
		{ html: '<table></table></figure><p>z</p>', explainer: null },
	]);
	expect(parts.map((part) => part.html).join('')).toBe(html);
});

test('without a caption it comes first; several come each in its figure, also inside of other elements', () => {
	const parts = splitAtExplainers(
		`<figure data-explainer="a"><p>x</p></figure><blockquote><figure data-explainer="b">${caption}</figure></blockquote>`,
	);
	expect(parts).toEqual([
		{ html: '<figure data-explainer="a">', explainer: 'a' },
		{
			html: `<p>x</p></figure><blockquote><figure data-explainer="b">${caption}`,
			explainer: 'b',
		},
		{ html: '</figure></blockquote>', explainer: null },
	]);
});

test.each([
	'',
	'<p>Nothing to explain.</p>',
	'<figure><figcaption>data-explainer="sampler"</figcaption></figure>',
	'<pre>&#x3C;figure data-explainer="sampler"></pre>',
])('an article without one is one part: %s', (html) => {
	expect(splitAtExplainers(html)).toEqual([{ html, explainer: null }]);
});

test('what stands in an attribute cuts nothing', async () => {
	const { html } = await renderArticle(
		`<p title='<figure data-explainer="sampler"><figcaption></figcaption></figure>'>a</p>
		<figure data-explainer="sampler"><figcaption title="</figcaption><script>">b</figcaption></figure>`,
	);
	const parts = splitAtExplainers(html);
	expect(parts.map(({ explainer }) => explainer)).toEqual(['sampler', null]);
	expect(parts[0]!.html.endsWith('b</figcaption>')).toBe(true);
});
