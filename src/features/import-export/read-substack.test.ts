import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readFile } from './read-file.ts';

test('an archive of Substack is its posts, and its list of subscribers is told where to go', async () => {
	const files = {
		'posts.csv':
			'post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url\n' +
			'101.first-words,2023-04-05T10:00:00.000Z,true,2023-04-05T10:00:00.000Z,,newsletter,everyone,"First, words",In short,\n' +
			'102.for-payers,2023-04-06T10:00:00.000Z,true,,,newsletter,only_paid,For payers,,\n' +
			'103.,,false,,,newsletter,everyone,Not yet,,\n' +
			'104.spoken,2023-04-07T10:00:00.000Z,true,,,podcast,everyone,Spoken,,https://audio.example/1.mp3\n' +
			'105.,,false,,,newsletter,everyone,,,\n',
		'posts/101.first-words.html':
			'<p>Words<a class="footnote-anchor" data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-1" href="#footnote-1" target="_self">1</a>, <a href="https://mine.substack.com/p/spoken?utm=x">spoken</a>.</p><div class="captioned-image-container"><figure><a class="image-link" href="https://cdn.example/a.png"><div class="image2-inset"><picture><source srcset="x"><img src="https://cdn.example/a.png" alt="A"></picture></div></a><figcaption>Seen</figcaption></figure></div><p class="button-wrapper" data-attrs="{}"><a class="button primary" href="%%checkout_url%%"><span>Subscribe now</span></a></p><div class="latex-rendered" data-attrs="{&quot;persistentExpression&quot;:&quot;a \\\\lt b&quot;,&quot;id&quot;:&quot;X&quot;}" data-component-name="LatexBlockToDOM"></div><div class="footnote" data-component-name="FootnoteToDOM"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a><div class="footnote-content"><p>The note.</p></div></div>',
		'posts/101.first-words.opens.csv': 'post_id,email\n',
		'posts/102.for-payers.html': '<p>Paid</p>',
		'posts/103..html': '<p>Draft</p>',
		'posts/104.spoken.html': '<p>Spoken</p>',
		'email_list.mine.csv': 'email,active_subscription\na@x.example,true\n',
	};
	const bundle = await readFile(
		zipSync(Object.fromEntries(Object.entries(files).map(([path, file]) => [path, strToU8(file)]))),
	);
	expect(bundle.kind).toBe('Substack export');
	expect(bundle.posts).toMatchObject([
		{
			title: 'First, words',
			slug: 'first-words',
			excerpt: 'In short',
			published: true,
			publishedAt: '2023-04-05T10:00:00.000Z',
			redirects: ['/p/first-words'],
		},
		{ title: 'For payers', published: false },
		{ title: 'Not yet', published: false, publishedAt: null, redirects: [] },
		{ title: 'Spoken', published: true },
	]);
	const { content } = bundle.posts[0]!;
	expect(content).toContain('<a href="/blog/spoken">spoken</a>');
	expect(content).toContain('data-latex="a \\lt b"');
	expect(content).toContain('<li id="fn-1"><p>The note. <a href="#fnref-1"');
	expect(content).toContain('href="https://cdn.example/a.png">Picture: A</a></p><p>Seen</p>');
	expect(content).not.toContain('Subscribe');
	expect(bundle.items.map(({ kind, outcome }) => `${kind}: ${outcome}`).sort()).toEqual([
		'button: left',
		'footnote: imported',
		'formula: imported',
		'link between posts: imported',
		'list of subscribers: left',
		'other file: left',
		'picture: changed',
		'post: left',
		'recording: left',
	]);
});
