import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { addHeadingIds } from '#src/core/articles/render.ts';
import { parseArticle } from '#src/core/articles/sanitize.ts';
import { makeBook, type Book, type Chapter, type Problem } from './book.server.ts';
import { openTypesetter } from './compile.server.ts';

const chapter = (id: string, content: string): Chapter => {
	const tree = parseArticle(content);
	addHeadingIds(tree);
	return {
		id: `/blog/${id}`,
		kind: 'Vision',
		title: `On ${id}`,
		summary: '',
		color: '#0e7490',
		tree,
	};
};

const bookOf = (chapters: Chapter[]): Book => ({
	title: 'A book',
	subtitle: 'Of tests',
	kind: 'Book',
	author: 'Groundtruth',
	language: 'en-US',
	siteUrl: 'https://groundtruth.example',
	date: new Date('2030-01-01T00:00:00Z'),
	color: '#0e7490',
	art: { slug: 'a', cover: '' },
	imprint: ['groundtruth.example'],
	parts: [{ title: 'Part one', chapters }],
});

async function made(...chapters: Chapter[]) {
	const problems: Problem[] = [];
	const bytes = await makeBook(bookOf(chapters), (problem) => problems.push(problem));
	const pdf = await getDocumentProxy(new Uint8Array(bytes));
	const { text } = await extractText(pdf, { mergePages: true });
	return { pdf, problems, text: text.replace(/\s+/g, ' ') };
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function rolesOf(pdf: Pdf): Promise<Set<string>> {
	const roles = new Set<string>();
	for (let page = 1; page <= pdf.numPages; page++) {
		const tree = JSON.stringify(await (await pdf.getPage(page)).getStructTree());
		for (const [, role] of tree.matchAll(/"role":"(\w+)"/g)) roles.add(role!);
	}
	return roles;
}

async function linksOf(pdf: Pdf): Promise<string[]> {
	const links: string[] = [];
	for (let page = 1; page <= pdf.numPages; page++) {
		const annotations = (await (await pdf.getPage(page)).getAnnotations()) as {
			unsafeUrl?: string;
		}[];
		for (const { unsafeUrl } of annotations) if (unsafeUrl) links.push(unsafeUrl);
	}
	return links;
}

test('everything that an article may hold is set and tagged', async () => {
	const { pdf, problems, text } = await made(
		chapter(
			'first',
			`<p>See <a href="/blog/second">the second</a>, <a href="/newsletter">the letter</a>, <a href="#a-part">a part</a>,
			<a href="#nowhere">nothing</a> and <a href="https://example.org/?a=1">a site</a>.<sup><a href="#fn-1" id="fnref-1" data-footnote-ref>1</a></sup></p>
			<h2>A part</h2><h5>Far below</h5>
			<ul><li>One <ul><li>Within</li></ul></li></ul><ol start="4"><li><p>Four</p></li><li><p>Five</p></li></ol>
			<blockquote><p>Quoted</p></blockquote><aside data-callout="note"><p>Framed</p></aside>
			<figure data-explainer="x"><figcaption>Caption</figcaption><table><tr><th>Name</th><th align="right">Size</th></tr><tr><td>Ragged</td></tr></table></figure>
			<div data-type="block-math" data-latex="\\frac{a}{b}"></div><p>Where <span data-type="inline-math" data-latex="x_1"></span>.</p>
			<pre><code class="language-python">def f():\n\treturn 1</code></pre><p><img src="https://example.org/a.png" alt="A drawing"></p>
			<section data-footnotes class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2><ol><li id="fn-1"><p>A source <a href="#fnref-1" data-footnote-backref>back</a></p></li></ol></section>`,
		),
		chapter('second', '<p>The second.</p>'),
	);
	expect(problems).toEqual([]);
	for (const words of [
		'See the second (p. 4), the letter, a part, nothing and a site.',
		'Far below',
		'4. Four',
		'Framed',
		'Caption',
		'Ragged',
		'return 1',
		'A drawing',
		'Sources and notes 1 A source',
	]) {
		expect(text).toContain(words);
	}
	expect(text).not.toContain('back');
	expect([...(await rolesOf(pdf))]).toEqual(
		expect.arrayContaining(
			'H1 H2 H3 H4 P L LI LBody Table TR TH TD Formula Code Link TOC TOCI'.split(' '),
		),
	);
	expect(await linksOf(pdf)).toEqual([
		'https://groundtruth.example/newsletter',
		'https://example.org/?a=1',
	]);
});

test('words that look like code of the typesetter are words', async () => {
	const hostile =
		'#read("template.typ") $x$ ] } " \\" \\u{41} // /* `raw` <label> @ref *b* _e_ = H';
	const escaped = hostile.replace(/</g, '&lt;');
	const { problems, text } = await made(
		chapter(
			'hostile',
			`<p>${escaped}</p><pre><code>${escaped}</code></pre><ul><li>${escaped}</li></ul>`,
		),
	);
	expect(problems).toEqual([]);
	expect(text.split(hostile)).toHaveLength(4);
});

test.each([
	['text that ends early', '\\text{a" #read("template.typ") "b}'],
	['code', '\\#{while true {}}'],
	['an unknown command', '\\nosuchthing{x}'],
	['brackets in brackets', '('.repeat(2000)],
	['braces in braces', `${'\\sqrt{'.repeat(900)}x${'}'.repeat(900)}`],
	['a character without a glyph', '\\text{日本}'],
	['a brace that is open', '\\frac{a}{b'],
])('a formula that cannot be set is shown as it was written: %s', async (_, latex) => {
	const { problems, text } = await made(
		chapter(
			'formula',
			`<p>Before <span data-type="inline-math" data-latex="${latex.replace(/"/g, '&quot;')}"></span> after.</p>`,
		),
	);
	expect(problems).toEqual([]);
	expect(text.replace(/\s/g, '')).toContain(latex.slice(0, 6).replace(/\s/g, ''));
	expect(text).toContain('after.');
});

test('plots and diagrams are set as pictures with their names, without their source', async () => {
	const plot = {
		title: 'Two points',
		data: { values: [{ x: 1, y: 'Label' }] },
		mark: 'bar',
		encoding: { x: { field: 'x', type: 'quantitative' }, y: { field: 'y', type: 'nominal' } },
	};
	const block = (language: string, source: string) =>
		`<pre><code class="language-${language}">${source}</code></pre>`;
	const { pdf, text, problems } = await made(
		chapter(
			'a',
			block('vega-lite', JSON.stringify(plot)) +
				block('mermaid', '%% title: A way\ngraph LR\nStart --> End'),
		),
	);
	expect(problems).toEqual([]);
	expect(await rolesOf(pdf)).toContain('Figure');
	expect(text).toContain('Figure 1. Two points.');
	expect(text).toContain('Figure 2. A way.');
	expect(text).not.toMatch(/quantitative|graph LR|Download as CSV/);
});

test('a character that no font has is named, and elements in elements are set as text', async () => {
	const { problems, text } = await made(
		chapter(
			'odd',
			`<p>Smile 😀 日 caf\u0065\u0301 αβγ Жук</p>${'<blockquote>'.repeat(60)}<p>Deep</p>${'</blockquote>'.repeat(60)}${'<ul><li>'.repeat(60)}Listed${'</li></ul>'.repeat(60)}`,
		),
	);
	expect(problems).toEqual([]);
	for (const words of ['Smile [U+1F600] [U+65E5]', 'αβγ Жук', 'Deep', 'Listed']) {
		expect(text).toContain(words);
	}
});

test('an article that Typst refuses is plain text, and told of; the others are as they were', async () => {
	const { problems, text } = await made(
		chapter('good', '<p>Kept</p><pre><code>code</code></pre>'),
		chapter('long', `<p>Its <a href="https://example.org/${'a'.repeat(9000)}">words</a> stay.</p>`),
	);
	expect(problems).toEqual([
		{ title: 'On long', isPlain: true, reason: expect.stringMatching(/too long/i) as string },
	]);
	for (const words of ['Kept', 'code', 'Its words stay.']) {
		expect(text.replace(/\s+/g, ' ')).toContain(words);
	}
});

test('a document that not everybody can read is refused', async () => {
	const typesetter = await openTypesetter();
	await expect(typesetter.pdf('#set document(title: "A formula")\n$x$')).rejects.toThrow(
		/PDF\/UA-1.*alt text/,
	);
});
