import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { like } from 'drizzle-orm';
import type { Element, ElementContent } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import sharp from 'sharp';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import type { Db } from '#db/client.ts';
import { renderedPosts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { fileOf } from '#src/core/figures/svg.ts';
import { loadLettering, type Lettering } from './lettering.server.ts';

/** Pixels of a file for each of the drawing's, and what is left free around it. */
const DENSITY = 2;
const MARGIN = 20;

/**
 * Makes the missing PNG files of all figures in `cacheDir`, for feeds and email, and removes all others. A file is made once,
 * because its name says what it shows. Returns each file by its path.
 */
export async function makeFigures(db: Db, cacheDir: string): Promise<Map<string, string>> {
	await mkdir(cacheDir, { recursive: true });
	const [rows, names] = await Promise.all([
		db
			.select(tolerant({ html: renderedPosts.html }))
			.from(renderedPosts)
			.where(like(renderedPosts.html, '%data-picture="/media/figure-%')),
		readdir(cacheDir),
	]);
	const files = new Map<string, string>();
	const present = new Set(names);
	let lettering: Lettering | undefined;
	for (const { html } of rows) {
		for (const svg of drawingsOf(html)) {
			const path = String(svg.properties.dataPicture);
			const name = basename(path);
			if (!/^\/media\/figure-[0-9a-f]+\.png$/.test(path)) continue;
			const file = join(cacheDir, name);
			files.set(path, file);
			if (present.has(name)) continue;
			present.add(name);
			lettering ??= await loadLettering(500);
			// A build may be killed at any time, so a file gets its name only when complete.
			await writeFile(`${file}.part`, await toPng(svg, lettering));
			await rename(`${file}.part`, file);
		}
	}
	const used = new Set([...files.values()].map((file) => basename(file)));
	const unused = names.filter((name) => !used.has(name));
	await Promise.all(unused.map((name) => rm(join(cacheDir, name), { force: true })));
	return files;
}

function drawingsOf(html: string): Element[] {
	const found: Element[] = [];
	visit(unified().use(rehypeParse, { fragment: true }).parse(html), 'element', (node) => {
		if (node.tagName !== 'svg' || !node.properties.dataPicture) return undefined;
		found.push(node);
		return SKIP;
	});
	return found;
}

/** Returns a drawing as a PNG on paper, in which words are outlines: the machine may have no fonts. */
async function toPng(svg: Element, lettering: Lettering): Promise<Buffer> {
	const [x, y, width, height] = String(svg.properties.viewBox).split(/[ ,]+/).map(Number) as [
		number,
		number,
		number,
		number,
	];
	// Labels of the last ticks reach beyond the drawing.
	const [wider, higher] = [width + 2 * MARGIN, height + 2 * MARGIN];
	const properties = {
		...svg.properties,
		viewBox: `${x - MARGIN} ${y - MARGIN} ${wider} ${higher}`,
		width: wider,
		height: higher,
	};
	const drawing = fileOf(outlined({ ...svg, properties }, lettering));
	return sharp(Buffer.from(drawing), { density: 72 * DENSITY })
		.resize({ width: Math.round(wider * DENSITY) })
		.flatten({ background: '#ffffff' })
		.png({ palette: true, colors: 64, dither: 0, effort: 7, compressionLevel: 9 })
		.toBuffer();
}

function outlined(node: Element, lettering: Lettering): Element {
	const children = node.children.flatMap((child): ElementContent[] => {
		if (child.type !== 'element') return [child];
		return [child.tagName === 'text' ? lettersOf(child, lettering) : outlined(child, lettering)];
	});
	return { ...node, children };
}

/** Returns a text as a group of outlines; each of its lines that has a place of its own is set for itself. */
function lettersOf(text: Element, { width, set }: Lettering): Element {
	const { transform, fill, fontSize, textAnchor, x, y, dy } = text.properties;
	const size = Number.parseFloat(String(fontSize ?? 12));
	const offset = (value: Element['properties'][string]) => {
		const number = Number.parseFloat(String(value ?? ''));
		return (/em$/.test(String(value ?? '')) ? number * size : number) || 0;
	};
	const lines = text.children.filter((child) => child.type === 'element');
	let down = Number(y ?? 0) + offset(dy);
	const parts = (lines.length > 0 ? lines : [text]).map((line) => {
		const words = toString(line);
		if (line !== text) {
			if (line.properties.y !== undefined) down = Number(line.properties.y);
			down += offset(line.properties.dy);
		}
		const length = width(words, size);
		const left =
			Number(line.properties.x ?? x ?? 0) -
			{ start: 0, middle: length / 2, end: length }[String(textAnchor ?? 'start')]!;
		return set(words, left, down, size);
	});
	const { children } = unified()
		.use(rehypeParse, { fragment: true })
		.parse(`<svg>${parts.join('')}</svg>`);
	return {
		type: 'element',
		tagName: 'g',
		properties: {
			...(transform && { transform }),
			fill: fill ?? 'currentColor',
			stroke: 'none',
		},
		children: (children[0] as Element).children,
	};
}
