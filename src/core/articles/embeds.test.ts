import { expect, test } from 'vitest';
import { addressIn, embedOf, frameSources } from './embeds.ts';
import { renderArticle } from './render.ts';
import { sanitizeArticle } from './sanitize.ts';

const YOUTUBE = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1';

test.each([
	['https://www.youtube.com/watch?v=dQw4w9WgXcQ', YOUTUBE],
	['http://youtube.com/watch?list=PLabcdefghijk&v=dQw4w9WgXcQ', YOUTUBE],
	['https://m.youtube.com/watch?v=dQw4w9WgXcQ&t=1m30s', `${YOUTUBE}&start=90`],
	['https://youtu.be/dQw4w9WgXcQ?t=42', `${YOUTUBE}&start=42`],
	['https://www.youtube.com/shorts/dQw4w9WgXcQ', YOUTUBE],
	['//www.youtube.com/embed/dQw4w9WgXcQ', YOUTUBE],
	[
		'https://www.youtube.com/playlist?list=PLabcdefghijk',
		'https://www.youtube-nocookie.com/embed/videoseries?list=PLabcdefghijk&autoplay=1',
	],
	['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1'],
	[
		'https://vimeo.com/76979871/0123abcdef',
		'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1&h=0123abcdef',
	],
	[
		'https://framatube.org/w/9c9de5e8-0a1e-484a-b099-e80766180a6d',
		'https://framatube.org/videos/embed/9c9de5e8-0a1e-484a-b099-e80766180a6d?autoplay=1&p2p=0',
	],
	['https://www.ted.com/talks/a_b_c', 'https://embed.ted.com/talks/a_b_c'],
	['https://archive.org/details/a-film', 'https://archive.org/embed/a-film?autoplay=1'],
	[
		'https://soundcloud.com/who/what?si=1',
		'https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fwho%2Fwhat&auto_play=true',
	],
	[
		'https://open.spotify.com/intl-de/episode/4rOoJ6Egrf8K2IrywzwOMk?si=x',
		'https://open.spotify.com/embed/episode/4rOoJ6Egrf8K2IrywzwOMk',
	],
	[
		'https://podcasts.apple.com/us/podcast/a-show/id1234567?i=10006',
		'https://embed.podcasts.apple.com/us/podcast/a-show/id1234567?i=10006',
	],
])('%s is played by %s', (address, player) => {
	expect(embedOf(address)?.player).toBe(player);
});

test.each([
	'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
	'https://evil.example/?u=https://youtu.be/dQw4w9WgXcQ',
	'https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ',
	'https://youtube.com:8443/watch?v=dQw4w9WgXcQ',
	'https://youtu.be/dQw4w9WgXcQ"onload=x',
	'https://vimeo.com/about',
	'https://w.soundcloud.com/player/?url=https://evil.example/a/b',
	'https://archive.org/details/../../x y',
	'javascript:alert(1)//youtu.be/dQw4w9WgXcQ',
	'youtu.be/dQw4w9WgXcQ',
	'',
])('%s has no player', (address) => {
	expect(embedOf(address)).toBeNull();
});

test('the code that a site offers holds the address', () => {
	const code =
		'<iframe width="560" src="https://www.youtube.com/embed/dQw4w9WgXcQ?a=1&amp;b=2" allow="x"></iframe>';
	expect(addressIn(code)).toBe('https://www.youtube.com/embed/dQw4w9WgXcQ?a=1&b=2');
	expect(addressIn(' https://youtu.be/x ')).toBe('https://youtu.be/x');
});

test('an embed is rendered as a link that names its player, and asks nothing of the other site', async () => {
	const html = sanitizeArticle(
		'<figure data-embed=""><a href="https://youtu.be/dQw4w9WgXcQ" onclick="x"><img src="/a.png" alt="A stage"> A talk</a><figcaption>Given <em>twice</em>.</figcaption></figure>',
	);
	const rendered = (await renderArticle(html)).html;
	expect(rendered).toBe(
		`<figure class="embed embed-video"><a href="https://youtu.be/dQw4w9WgXcQ" data-player="${YOUTUBE}"><img src="/a.png" alt="A stage"><span class="embed-title">A talk</span> <span class="embed-host">Plays from YouTube</span></a><figcaption>Given <em>twice</em>.</figcaption></figure>`,
	);
	expect(rendered).not.toMatch(/<iframe|src="http/);
	expect(frameSources(rendered)).toBe('frame-src https://www.youtube-nocookie.com');
});

test('a player is never what an article says it is', async () => {
	const html =
		'<figure data-embed=""><a href="https://evil.example/" data-player="https://evil.example/x">A</a></figure><a href="/" data-player="https://evil.example/y">B</a>';
	const rendered = (await renderArticle(html)).html;
	expect(rendered).not.toContain('data-player');
	expect(frameSources(rendered)).toBeNull();
});

test('a page allows only the hosts that it has players of, each once', async () => {
	const figures = [
		'https://youtu.be/dQw4w9WgXcQ',
		'https://vimeo.com/76979871',
		'https://youtu.be/aaaaaaaaaaa',
	]
		.map((href) => `<figure data-embed=""><a href="${href}">A</a></figure>`)
		.join('');
	expect(frameSources((await renderArticle(figures)).html)).toBe(
		'frame-src https://player.vimeo.com https://www.youtube-nocookie.com',
	);
	expect(
		frameSources((await renderArticle('<p>data-player="https://a.example/"</p>')).html),
	).toBeNull();
});

test('a gallery has a class for how many pictures stand in a row', async () => {
	const picture = '<figure><img src="/a.png" alt="A"></figure>';
	const { html } = await renderArticle(`<figure data-gallery="">${picture.repeat(4)}</figure>`);
	expect(html).toMatch(/^<figure class="gallery gallery-3"><figure><img/);
	const two = await renderArticle(
		`<figure data-gallery="">${picture.repeat(2)}<figcaption>Two.</figcaption></figure>`,
	);
	expect(two.html).toMatch(/^<figure class="gallery gallery-2"><figure><img/);
});
