import { expect, test } from 'vitest';
import { toMarkdown } from './export.ts';

const time = '2026-03-04T12:00:00.000Z';
const none = { saved: [], liked: [], highlights: [], history: [] };

test('everything is in the Markdown, with whole links', () => {
	const text = toMarkdown(
		{
			saved: [{ id: '1', title: 'One [draft]', slug: 'one', savedAt: time }],
			liked: [{ id: '2', title: 'Two', slug: undefined, likedAt: Date.parse(time) }],
			highlights: [
				{
					text: 'a *bold*\nclaim',
					url: 'https://old.example/blog/one',
					timestamp: time,
					title: 'One',
					prefix: undefined,
					suffix: undefined,
					missing: undefined,
				},
			],
			history: [{ title: 'Three', slug: 'three' }],
		},
		'https://site.example',
		'Site',
	);
	expect(text).toBe(`# Saved at Site

## Saved articles

- [One \\[draft\\]](https://site.example/blog/one), saved 2026-03-04

## Liked articles

- Two, liked 2026-03-04

## Highlights

> a \\*bold\\* claim

[One](https://site.example/blog/one), 2026-03-04

## Reading history

- [Three](https://site.example/blog/three)
`);
});

test('an empty part has no heading', () => {
	expect(toMarkdown(none, 'https://site.example', 'Site')).toBe('# Saved at Site\n');
});
