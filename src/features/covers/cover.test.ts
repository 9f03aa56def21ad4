import { expect, test } from 'vitest';
import { captionOf, drawArt, drawCover, HEIGHT, plateOf, WIDTH } from './cover.ts';

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
		const plate = plateOf({ x: 1100, y, width: 80, height: 80 }, { width: 160, height: 56 }, '')!;
		expect(plate.y).toBeGreaterThanOrEqual((HEIGHT - band) / 2);
		expect(plate.y + plate.height).toBeLessThanOrEqual((HEIGHT + band) / 2);
		expect(plate.x + plate.width).toBeLessThan(WIDTH);
	}
});

const FRAME = { x: 560, y: 275, width: 80, height: 80 };
const LABEL = { width: 160, height: 56 };
/** Returns whether two boxes have a point in common. */
const meet = (a: typeof FRAME, b: typeof FRAME) =>
	a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test.each([
	['nothing', '', { x: 558, y: 209 }],
	['a line above it', 'M80 240l1040 0', { x: 650, y: 287 }],
	[
		'bars below and above it',
		'M80 180h900v80h-900zM80 275h520v80h-520zM80 370h900v80h-900z',
		{ x: 650, y: 287 },
	],
	['a line that rises through it', 'M80 555l1040 -480', { x: 482, y: 209 }],
])('a label stands where it lies on no data: %s', (_, drawn, place) => {
	const plate = plateOf(FRAME, LABEL, drawn)!;
	expect(plate).toEqual({ ...place, ...LABEL });
	expect(meet(plate, FRAME)).toBe(false);
});

test('a label inside a bar, or with no place at all, is left out', () => {
	const full = 'M0 0h1200v630h-1200z';
	expect(plateOf(FRAME, LABEL, full)).toBeUndefined();
	const bars = Array.from({ length: 16 }, (_, at) => `M80 ${20 + 37 * at}h1000v25h-1000z`).join('');
	expect(plateOf(FRAME, LABEL, bars)).toBeUndefined();
	expect(drawCover('any', `M80 302h520v25h-520z\n\n${bars}\n\n600 315\n27%`)).not.toContain(
		'<text',
	);
});

test('a label stays between the sides that are shown', () => {
	const plate = plateOf({ ...FRAME, x: 820 }, LABEL, '', [300, 900])!;
	expect(plate.x + plate.width).toBeLessThanOrEqual(900 - 14);
	expect(plateOf(FRAME, { width: 700, height: 56 }, '', [300, 900])).toBeUndefined();
});

test('a row has no frame on bars, and a tile none at all', () => {
	const bars = PLOT.replace('M80 530l1040 -430', 'M80 275h480v80h-480z');
	expect(drawArt('any', bars, 'row').focus).toBeUndefined();
	expect(drawArt('any', PLOT, 'row').focus).toBeDefined();
	for (const plot of [PLOT, bars, '']) {
		expect(drawCover('any', plot)).toContain('butt');
		expect(drawCover('any', plot, 'tile')).not.toContain('butt');
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

test('a cover knows the title of its plot, which it does not draw', () => {
	expect(captionOf(PLOT)).toBeUndefined();
	expect(captionOf('')).toBeUndefined();
	expect(captionOf(`${PLOT}\nMost is at 20`)).toBe('Most is at 20.');
	expect(captionOf(`${PLOT}\nHow much?`)).toBe('How much?');
	expect(drawCover('any', `${PLOT}\nMost is at 20`)).toBe(drawCover('any', PLOT));
});
