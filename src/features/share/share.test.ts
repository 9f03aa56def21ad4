import { expect, test } from 'vitest';
import { quoteHref, shareTargets } from './share.ts';

const shared = {
	url: 'https://site.example/blog/a-b?x=1&y=2',
	title: 'Q & A: 50% off?',
	image: 'https://site.example/social/a.png',
};

test('there are seven targets, each of which gets the address whole', () => {
	const targets = shareTargets(shared);
	expect(targets.map(({ name }) => name)).toEqual([
		'X',
		'Facebook',
		'LinkedIn',
		'Reddit',
		'WhatsApp',
		'Telegram',
		'Pinterest',
	]);
	for (const { href } of targets) {
		const { protocol, searchParams } = new URL(href);
		expect(protocol).toBe('https:');
		expect([...searchParams.values()].join('\n')).toContain(shared.url);
	}
});

test('the pin board gets the picture', () => {
	const { searchParams } = new URL(shareTargets(shared).at(-1)!.href);
	expect(searchParams.get('media')).toBe(shared.image);
	expect(searchParams.get('description')).toBe(shared.title);
});

test.each([
	[254, 254],
	[255, 254],
	[299, 254],
])('of a quote of %s characters the microblog gets %s', (length, fitting) => {
	const text = new URL(quoteHref('x'.repeat(length), shared.url)).searchParams.get('text')!;
	expect(text).toHaveLength(fitting + 2);
	expect(text.endsWith('…”')).toBe(length > fitting);
	// With a space and an address, which count 24, it fits.
	expect(text.length + 24).toBeLessThanOrEqual(280);
});
