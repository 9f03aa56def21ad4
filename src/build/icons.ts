/** Icons for those that take no drawing: old browsers, phones' home screens, feed readers. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { mediaId } from '#src/features/media/media.ts';
import { readMedia } from '#src/features/media/media.server.ts';
import { buildDb } from '#src/features/site/site-data.server.ts';
import { sha256 } from '#src/lib/digest.ts';
import { ICONS, site, siteSettings } from '#src/site.ts';
import { ROOT } from './builds.ts';
import { toPngApart } from './raster.ts';

/** Pixels of the pictures in `favicon.ico`, and of the one that all are made of. */
const SMALL = [16, 32, 48];
const WHOLE = 512;

/** The icons of the last build, and a digest of the logo: a process of its own draws it, in a quarter of a second. */
let last: { of: string; icons: Map<string, Buffer> } | undefined;

/** Returns the icons and the manifest that names them, by file name. They show the site's own mark on paper. */
export async function makeIcons(): Promise<Map<string, string | Buffer>> {
	const logo = await readLogo(siteSettings().logo);
	const of = sha256(typeof logo === 'string' ? Buffer.from(logo) : logo);
	if (last?.of !== of) last = { of, icons: await drawIcons(await markOf(logo)) };
	return new Map<string, string | Buffer>([[ICONS.manifest.slice(1), manifest()], ...last.icons]);
}

async function drawIcons(mark: Buffer): Promise<Map<string, Buffer>> {
	const sized = (pixels: number, share: number) => {
		const inner = Math.round(pixels * share);
		const edge = Math.floor((pixels - inner) / 2);
		const paper = { background: '#ffffff' };
		return sharp(mark)
			.resize(inner, inner, { fit: 'contain', ...paper })
			.extend({
				top: edge,
				left: edge,
				bottom: pixels - inner - edge,
				right: pixels - inner - edge,
				...paper,
			})
			.flatten(paper)
			.png({ compressionLevel: 9, palette: true })
			.toBuffer();
	};
	const small = await Promise.all(SMALL.map((pixels) => sized(pixels, 1)));
	const icons = new Map([['favicon.ico', icoOf(small)]]);
	for (const { path, pixels } of ICONS.pictures)
		icons.set(path.slice(1), await sized(pixels, 0.75));
	const { path, pixels } = ICONS.maskable;
	return icons.set(path.slice(1), await sized(pixels, 0.56));
}

/** Returns a logo that is a drawing as it is, and of one that is an image the bytes; '' for none, and for one that is gone. */
async function readLogo(logo: string): Promise<string | Buffer> {
	if (logo === '' || logo.startsWith('<')) return logo;
	const row = await readMedia(await buildDb(), mediaId(logo)!, null);
	return row?.bytes ? Buffer.from(row.bytes) : '';
}

/** Returns the site's mark as a picture: its logo, or where that cannot be drawn the one that it came with. */
async function markOf(logo: string | Buffer): Promise<Buffer> {
	try {
		if (typeof logo !== 'string') return await sharp(logo).toBuffer();
		if (logo !== '') return await toPngApart(logo, WHOLE, 300);
	} catch (error) {
		console.warn(`The logo cannot be drawn as an icon: ${String(error)}`);
	}
	return toPngApart(await readFile(join(ROOT, 'public/favicon.svg'), 'utf8'), WHOLE, 1152);
}

/** Returns what a browser needs to install the site: an app of its own pages, which open where they were saved. */
function manifest(): string {
	const icon = ({ path: src, pixels }: { path: string; pixels: number }, purpose?: 'maskable') => ({
		src,
		sizes: `${pixels}x${pixels}`,
		type: 'image/png',
		...(purpose && { purpose }),
	});
	const [, small] = ICONS.pictures;
	const shortcut = (name: string, url: string) => ({ name, url, icons: [icon(small)] });
	return JSON.stringify({
		id: '/',
		name: site.name,
		description: site.description,
		lang: site.language,
		start_url: '/',
		scope: '/',
		display: 'standalone',
		// With a way back, where a browser has that.
		display_override: ['minimal-ui'],
		background_color: '#fafaf7',
		theme_color: site.accent.light,
		icons: [...ICONS.pictures.map((picture) => icon(picture)), icon(ICONS.maskable, 'maskable')],
		shortcuts: [shortcut('Search', '/search'), shortcut('Saved articles', '/saved')],
	});
}

/** Returns PNG pictures as one file of icons: a head, a line of sixteen bytes for each, and the pictures. */
function icoOf(pictures: Buffer[]): Buffer {
	const head = Buffer.alloc(6 + 16 * pictures.length);
	head.writeUInt16LE(1, 2);
	head.writeUInt16LE(pictures.length, 4);
	let at = head.length;
	for (const [index, picture] of pictures.entries()) {
		const line = 6 + 16 * index;
		head.writeUInt8(SMALL[index]!, line);
		head.writeUInt8(SMALL[index]!, line + 1);
		head.writeUInt16LE(1, line + 4);
		head.writeUInt16LE(32, line + 6);
		head.writeUInt32LE(picture.length, line + 8);
		head.writeUInt32LE(at, line + 12);
		at += picture.length;
	}
	return Buffer.concat([head, ...pictures]);
}
