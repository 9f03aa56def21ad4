import { expect, test } from 'vitest';
import { drawArt, drawCover, HEIGHT, WIDTH, type CoverSize } from './cover.ts';
import { balance } from './families/balance.ts';
import { compositionOf, compositionsOf, FAMILIES } from './families/families.ts';
import { route } from './families/route.ts';
import { curve, randomOf, type Point } from './pen.ts';

const categories = [...FAMILIES, 'a-category-of-the-admin', 'constructor'];
const slugs = Array.from({ length: 60 }, (_, n) => `post-${n}`);
const sizes: [CoverSize, number, number][] = [
	['page', 4096, 4900],
	['card', 2200, 2700],
];

test('the nine categories have a family each, of three compositions that are all used', () => {
	expect(FAMILIES).toHaveLength(9);
	const all = FAMILIES.flatMap((family) => {
		const drawn = new Set(slugs.map((slug) => compositionOf(family, slug)));
		expect(drawn).toEqual(new Set(compositionsOf(family)));
		expect(drawn.size).toBe(3);
		return [...drawn];
	});
	expect(new Set(all).size).toBe(27);
});

test.each(categories)(
	'the cover of a slug in %s is always the same, and no other slug’s',
	(one) => {
		const covers = slugs.map((slug) => drawCover(slug, one));
		expect(slugs.map((slug) => drawCover(slug, one))).toEqual(covers);
		expect(new Set(covers).size).toBe(slugs.length);
	},
);

test.each(categories)(
	'a cover in %s has whole numbers, a frame on the plate and few bytes',
	(one) => {
		for (const [size, usual, most] of sizes) {
			const lengths = slugs.map((slug) => {
				const svg = drawCover(slug, one, size);
				expect(svg).not.toMatch(/NaN|undefined|Infinity|<style|\bid=/);
				for (const [, data] of svg.matchAll(/ d="([^"]*)"/g)) {
					expect(data).toMatch(/^[A-Za-z\d -]+$/);
				}
				expect(svg.match(/<text/g)?.length ?? 0).toBe(size === 'page' ? 1 : 0);
				return svg.length;
			});
			expect(lengths.reduce((sum, length) => sum + length) / slugs.length).toBeLessThan(
				usual + 300,
			);
			expect(Math.max(...lengths)).toBeLessThan(most);
		}
		for (const slug of slugs) {
			const { focus, label } = drawArt(slug, one, { weight: 1, fine: true });
			expect(focus.x).toBeGreaterThan(0);
			expect(focus.x + focus.width).toBeLessThan(WIDTH);
			expect(focus.y).toBeGreaterThan(-10);
			expect(focus.y + focus.height).toBeLessThan(HEIGHT);
			expect(label).toMatch(/\d/);
		}
	},
);

test('covers of one composition are seen from different sides, distances and on different grounds', () => {
	const views = Map.groupBy(slugs, (slug) => compositionOf('machine-learning', slug));
	for (const [, alike] of views) {
		const drawn = alike.map((slug) => drawCover(slug, 'machine-learning'));
		const zooms = drawn.map((svg) => /scale\(-?([\d.]+)/.exec(svg)?.[1]);
		expect(new Set(zooms).size).toBeGreaterThan(3);
		const places = drawn.map((svg) => /translate\((\S+)/.exec(svg)?.[1]);
		expect(new Set(places).size).toBeGreaterThan(alike.length / 2);
	}
	const mirrored = slugs.map((slug) => drawCover(slug, 'machine-learning').includes('scale(-'));
	expect(new Set(mirrored)).toEqual(new Set([true, false]));
});

test.each(categories)('a card in %s frames what the page frames', (one) => {
	for (const slug of slugs) {
		const page = drawArt(slug, one, { weight: 1, fine: true });
		const card = drawArt(slug, one, { weight: 2, fine: false });
		expect(card.focus).toEqual(page.focus);
		expect(card.label).toBe(page.label);
	}
});

test('what is said of a drawing is true of it: moments about a pivot are equal', () => {
	for (const slug of slugs) {
		const { label } = balance(randomOf(slug), { weight: 1, fine: true });
		const [left, right] = label.split(' = ');
		expect(left).toBe(right);
	}
});

test('every map has a way from its start to its goal', () => {
	for (const slug of slugs) {
		const { label } = route(randomOf(slug), { weight: 1, fine: true });
		expect(Number.parseInt(label)).toBeGreaterThan(14);
	}
});

test('a curve ends at its last point however many joints were rounded', () => {
	const points = Array.from({ length: 200 }, (_, n): Point => [
		n * 3.37,
		100 + 50 * Math.sin(n / 7.3),
	]);
	let [x, y] = [0, 0];
	for (const [, command, numbers] of curve(points).matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
		const values = numbers!.match(/-?\d+/g)!.map(Number);
		const [dx, dy] = values.slice(-2) as [number, number];
		[x, y] = command === 'M' ? [dx, dy] : [x + dx, y + dy];
	}
	expect([x, y]).toEqual(points.at(-1)!.map(Math.round));
});
