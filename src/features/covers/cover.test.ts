import { expect, test } from 'vitest';
import { drawArt, drawCover, HEIGHT, plateOf, WIDTH } from './cover.ts';

const slugs = Array.from({ length: 60 }, (_, n) => `post-${n}`);
const PLOT = 'M80 530l1040 -430\nM80 200l1040 0\n\n\n600 315\n9.5%';

test('an article without a plot has a cover that is always the same, and no other article’s, with no words', () => {
	const covers = slugs.map((slug) => drawCover(slug, ''));
	expect(slugs.map((slug) => drawCover(slug, ''))).toEqual(covers);
	expect(new Set(covers).size).toBe(slugs.length);
	for (const svg of [...covers, ...slugs.map((slug) => drawCover(slug, '', 'row'))]) {
		expect(svg).not.toMatch(/NaN|undefined|Infinity|<text|<style|\bid=/);
		expect(svg.length).toBeLessThan(4600);
		for (const [, data] of svg.matchAll(/ d="([^"]*)"/g)) expect(data).toMatch(/^[A-Za-z\d -]+$/);
	}
	for (const slug of slugs) {
		const { x, y, width, height } = drawArt(slug, '', 'card').focus!;
		expect(Math.min(x, y)).toBeGreaterThan(0);
		expect(x + width).toBeLessThan(WIDTH);
		expect(y + height).toBeLessThan(HEIGHT);
	}
});

test('a plot has its line in ink, a frame on its point, and its number where there is room to read it', () => {
	const page = drawCover('any', PLOT, 'page');
	expect(page).toContain('d="M80 530l1040 -430"');
	expect(page).toContain('>9.5%</text>');
	expect(drawCover('any', PLOT, 'card')).toContain('>9.5%</text>');
	expect(drawCover('any', PLOT, 'row')).not.toContain('<text');
	expect(drawArt('any', PLOT, 'page').focus).toEqual({ x: 560, y: 275, width: 80, height: 80 });
	expect(page.length).toBeLessThan(800);
});

test('a label is whole, also in the band that a narrow screen shows of an article’s cover', () => {
	const band = (WIDTH * 9) / 21;
	for (let y = 0; y <= HEIGHT - 80; y += 10) {
		const plate = plateOf({ x: 1100, y, width: 80, height: 80 }, 160, 56);
		expect(plate.y).toBeGreaterThanOrEqual((HEIGHT - band) / 2);
		expect(plate.y + plate.height).toBeLessThanOrEqual((HEIGHT + band) / 2);
		expect(plate.x + plate.width).toBeLessThan(WIDTH);
	}
});

test.each([
	[80, 100],
	[1120, 100],
	[80, 530],
	[1120, 530],
])('the frame of a row is whole around a point at %d, %d', (x, y) => {
	const { focus } = drawArt('any', PLOT.replace('600 315', `${x} ${y}`), 'row');
	const { x: left, y: top, width, height } = focus!;
	expect(Math.min(left, top)).toBeGreaterThan(0);
	expect(left + width).toBeLessThan(WIDTH);
	expect(top + height).toBeLessThan(HEIGHT);
	// It still holds its point.
	expect(Math.abs(left + width / 2 - x)).toBeLessThan(width / 2);
	expect(Math.abs(top + height / 2 - y)).toBeLessThan(height / 2);
});

test('a frame has the hue where it lies on a black bar', () => {
	const corner = 'M560 295';
	expect(drawCover('any', PLOT)).not.toMatch(new RegExp(`<path stroke="[^"]*" [^>]*d="${corner}`));
	const bars = PLOT.replace('M80 530l1040 -430', 'M80 275h480v80h-480z');
	expect(drawCover('any', bars)).toMatch(new RegExp(`<path stroke="[^"]*" [^>]*d="${corner}`));
});

test('a plot without a point has no frame', () => {
	const { focus, label } = drawArt('any', 'M80 530l1040 -430\n\n\n\n\n', 'card');
	expect([focus, label]).toEqual([undefined, '']);
});

test('a narrower plate shows the whole plot', () => {
	const { layers, focus } = drawArt('any', PLOT, 'card', { width: 600 });
	expect(layers).toContain('d="M340 530l520 -430"');
	expect(focus).toMatchObject({ x: 550 });
	expect(
		drawArt('any', PLOT.replace('600 315', '1120 100'), 'card', { width: 600 }).focus,
	).toMatchObject({
		x: 810,
	});
});

test.each([
	'<script>\n\n\n\n\n',
	'M1 1"/><script>alert(1)</script>\n\n\n\n1 1\n1',
	'\n\n\n\n\n',
	'M0 0',
])('what no pen of ours has written is not drawn: %j', (stored) => {
	expect(drawCover('any', stored)).toBe(drawCover('any', ''));
});

test('a label that is no number is left out', () => {
	expect(drawCover('any', PLOT.replace('9.5%', '<b>x'))).not.toMatch(/<text|<b>/);
	expect(drawCover('any', PLOT.replace('9.5%', '9 <b>x'))).not.toMatch(/<text|<b>/);
	expect(drawCover('any', PLOT.replace('9.5%', '9.5 cm'))).toContain('>9.5 cm</text>');
});
