import { expect, test } from 'vitest';
import { fallbackPath, srcset, widthsOf } from './picture.ts';

const picture = (width: number) => ({ name: 'abc', width, height: 100, alt: '', focus: '50% 50%' });

test.each([
	[300, [300]],
	[480, [480]],
	[481, [480, 481]],
	[1200, [480, 800, 1200]],
	[1800, [480, 800, 1200, 1800]],
	[1801, [480, 800, 1200, 1800]],
	[6000, [480, 800, 1200, 1800]],
])('an image of %i pixels has files of %j', (width, widths) => {
	expect(widthsOf({ width })).toEqual(widths);
});

test('a browser is told each file with its width, and has one without choosing', () => {
	expect(srcset(picture(900), 'avif')).toBe(
		'/media/abc-480.avif 480w, /media/abc-800.avif 800w, /media/abc-900.avif 900w',
	);
	expect(fallbackPath(picture(900))).toBe('/media/abc-800.webp');
	expect(fallbackPath(picture(300))).toBe('/media/abc-300.webp');
});
