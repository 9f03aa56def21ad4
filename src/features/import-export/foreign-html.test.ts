import { expect, test } from 'vitest';
import { adoptHtml, isEmpty, LINKED, NOT_SHOWN } from './foreign-html.ts';

const adopt = (html: string, images: Record<string, string> = {}) => {
	const told: string[] = [];
	const article = adoptHtml(html, {
		image: (address) => images[address],
		report: (kind, what, detail) => void told.push([kind, what, detail].filter(Boolean).join(': ')),
	});
	return [article, told] as const;
};
const V = 'https://v.example/film.mp4';

test.each([
	[
		'a film with its caption',
		`<figure class="wp-block-video"><video controls src="${V}"></video><figcaption>A <b>film</b></figcaption></figure>`,
		`<p><a href="${V}">${V}</a></p><p>A <b>film</b></p>`,
		[`video: ${LINKED}: ${V}`],
	],
	[
		'the source of a sound',
		`<audio controls><source src="//v.example/a.mp3">None</audio>`,
		`<p><a href="https://v.example/a.mp3">https://v.example/a.mp3</a></p>`,
		[`audio: ${LINKED}: https://v.example/a.mp3`],
	],
	[
		'a frame in a paragraph',
		`<p>Before <iframe src="https://v.example/embed/1" title="A talk"></iframe> after</p>`,
		`<p>Before </p><p><a href="https://v.example/embed/1">A talk</a></p><p> after</p>`,
		[`embed: ${LINKED}: https://v.example/embed/1`],
	],
	[
		'a video of a known site, with its caption',
		'<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://youtu.be/dQw4w9WgXcQ\n</div><figcaption>Film</figcaption></figure>',
		'<figure data-embed=""><a href="https://youtu.be/dQw4w9WgXcQ">Video on YouTube</a><figcaption>Film</figcaption></figure>',
		[],
	],
	[
		'a player of a known site within a paragraph',
		'<p>Before <iframe src="https://player.vimeo.com/video/76979871" title="A talk"></iframe> after</p>',
		'<p>Before </p><figure data-embed=""><a href="https://player.vimeo.com/video/76979871">A talk</a></figure><p> after</p>',
		[],
	],
	[
		'an embed of a block, which is only its address',
		`<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${V}\n</div><figcaption>Film</figcaption></figure>`,
		`<p><a href="${V}">${V}</a></p><p>Film</p>`,
		[`embed: ${LINKED}: ${V}`],
	],
	[
		'an address by itself',
		`<p>${V}</p>`,
		`<p><a href="${V}">${V}</a></p>`,
		[`embed: ${LINKED}: ${V}`],
	],
	['an address in a sentence', `<p>See ${V}</p>`, `<p>See ${V}</p>`, []],
	[
		'a film without an address',
		'<video></video>',
		'',
		['video: Left out: it has no address that leads anywhere from here'],
	],
	[
		'buttons',
		'<div class="wp-block-button"><a class="wp-block-button__link" href="/go">Go</a></div>',
		'<div class="wp-block-button"><a class="wp-block-button__link" href="/go">Go</a></div>',
		['button: Is a plain link'],
	],
	[
		'a picture that came along',
		'<p><img src="a.png" alt="A" width="8" height="6" class="x"></p>',
		'<p><img src="/api/media/1" alt="A" width="8" height="6"></p>',
		['picture'],
	],
	[
		'a picture elsewhere',
		'<figure><img src="https://v.example/b.png" alt="B"><figcaption>Seen</figcaption></figure>',
		'<p><a href="https://v.example/b.png">Picture: B</a></p><p>Seen</p>',
		[`picture: ${NOT_SHOWN}: https://v.example/b.png`],
	],
	[
		'a small picture that leads to a large one',
		'<a href="https://v.example/b.png"><img src="https://v.example/b-300x200.png"></a>',
		'<a href="https://v.example/b-300x200.png">Picture: b-300x200.png</a>',
		[`picture: ${NOT_SHOWN}: https://v.example/b-300x200.png`],
	],
	[
		'a picture that leads to a page',
		'<a href="/page"><img src="https://v.example/b.png" alt="B"></a>',
		'<a href="/page">Picture: B</a> <a href="https://v.example/b.png">https://v.example/b.png</a>',
		[`picture: ${NOT_SHOWN}: https://v.example/b.png`],
	],
	[
		'a picture that leads nowhere',
		'<p><img src="/gone.png" alt="Gone"></p>',
		'<p>[Picture: Gone]</p>',
		['picture: Left out: the file holds no image of it that can be stored: /gone.png'],
	],
	[
		'a tracking pixel',
		'<img src="https://t.example/" width="1" height="1">',
		'',
		['tracking pixel: Left out: it shows nothing'],
	],
	[
		'what does something',
		'<script>x()</script><style>p{}</style><form>A</form><svg></svg><p>B</p>',
		'<p>B</p>',
		['script', 'style sheet', 'form', 'drawing (SVG)'].map(
			(kind) => `${kind}: Left out: an article holds none`,
		),
	],
	[
		'a bookmark of Ghost',
		'<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://v.example/"><div class="kg-bookmark-title">Title</div><div class="kg-bookmark-description">More</div><img src="https://v.example/i.ico"></a><figcaption>Seen</figcaption></figure>',
		'<p><a href="https://v.example/">Title</a></p><p>More</p><p>Seen</p>',
		['bookmark: Is a plain link: https://v.example/'],
	],
	[
		'a player of Ghost without its buttons',
		`<figure class="kg-card kg-video-card"><div><video src="${V}"></video><div>0:00 <button>1×</button></div></div><figcaption>Film</figcaption></figure>`,
		`<p><a href="${V}">${V}</a></p><p>Film</p>`,
		[`video: ${LINKED}: ${V}`],
	],
	[
		'a callout of Ghost',
		'<div class="kg-card kg-callout-card"><div class="kg-callout-emoji">!</div><div class="kg-callout-text">Mind <b>this</b></div></div>',
		'<aside data-callout="note"><p>Mind <b>this</b></p></aside>',
		[],
	],
])('%s', (_, html, article, told) => {
	expect(adopt(html, { 'a.png': '/api/media/1' })).toEqual([article, told]);
});

test.each([
	['', true],
	['<p> </p><div></div>', true],
	['<p>.</p>', false],
	['<p><img src="/a"></p>', false],
	['<p><span data-type="inline-math" data-latex="x"></span></p>', false],
])('%j shows nothing: %s', (html, empty) => {
	expect(isEmpty(html)).toBe(empty);
});
