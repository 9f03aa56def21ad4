import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { like } from 'drizzle-orm';
import type { Element, ElementContent } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import type { Db } from '#db/client.ts';
import { renderedPosts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { fileOf } from '#src/core/figures/svg.ts';
import { loadLettering, type Lettering } from './lettering.server.ts';
import { toPng, toPngApart } from './raster.ts';

/** Pixels of a file for each of the drawing's, and what is left free around it. */
const DENSITY = 2;
const MARGIN = 20;
/** Pixels of a file's width, at most. */
const MAX_PIXELS = 1_600;

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
			try {
				// A build may be killed at any time, so a file gets its name only when complete.
				await writeFile(`${file}.part`, await pictureOf(svg, lettering));
				await rename(`${file}.part`, file);
			} catch (error) {
				files.delete(path);
				console.error(`${name} cannot be made: ${(error as Error).message}`);
			}
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
async function pictureOf(svg: Element, lettering: Lettering): Promise<Buffer> {
	const [x, y, width, height] = String(svg.properties.viewBox).split(/[ ,]+/).map(Number) as [
		number,
		number,
		number,
		number,
	];
	// Labels of the last ticks reach beyond the drawing.
	const shown = { width: Number(svg.properties.width), height: Number(svg.properties.height) };
	const margin = (MARGIN * width) / shown.width;
	const wider = shown.width + 2 * MARGIN;
	const properties = {
		...svg.properties,
		viewBox: `${x - margin} ${y - margin} ${width + 2 * margin} ${height + 2 * margin}`,
		width: wider,
		height: shown.height + 2 * MARGIN,
	};
	const pixels = Math.min(MAX_PIXELS, Math.round(wider * DENSITY));
	const drawing = fileOf(outlined({ ...svg, properties }, lettering));
	const isForeign = [svg.properties.className].flat().includes('drawn-drawing');
	return (isForeign ? toPngApart : toPng)(drawing, pixels, (72 * pixels) / wider);
}

/** Properties that words inherit. */
const INHERITED = ['fill', 'fontSize', 'textAnchor', 'xmlSpace'] as const;
type Looks = Partial<Record<(typeof INHERITED)[number], string>>;

function looksOf({ properties }: Element, around: Looks): Looks {
	const own = INHERITED.flatMap((name) => {
		const value = properties[name];
		return value === undefined || value === null ? [] : [[name, String(value)]];
	});
	return { ...around, ...(Object.fromEntries(own) as Looks) };
}

function outlined(node: Element, lettering: Lettering, around: Looks = {}): Element {
	const looks = looksOf(node, around);
	const children = node.children.flatMap((child): ElementContent[] => {
		if (child.type !== 'element') return [child];
		return [
			child.tagName === 'text'
				? lettersOf(child, lettering, looks)
				: outlined(child, lettering, looks),
		];
	});
	return { ...node, children };
}

/** Words in one hand, and where they begin if that is not where the last ones end. */
type Run = {
	words: string;
	looks: Looks;
	size: number;
	x?: number;
	y?: number;
	dx: number;
	dy: number;
};

/** Returns the runs of a text in order. A place that an element has is the one of its first words. */
function runsOf(node: Element, around: Looks): Run[] {
	const looks = looksOf(node, around);
	const size = Number.parseFloat(looks.fontSize ?? '12') || 12;
	const length = (value: Element['properties'][string]) => {
		const first = String(value ?? '')
			.trim()
			.split(/[ ,]+/)[0]!;
		const number = Number.parseFloat(first);
		return Number.isNaN(number) ? undefined : /em$/.test(first) ? number * size : number;
	};
	const { x, y, dx, dy } = node.properties;
	const runs = node.children.flatMap((child): Run[] => {
		if (child.type === 'element') return runsOf(child, looks);
		if (child.type !== 'text' || child.value === '') return [];
		const words = looks.xmlSpace === 'preserve' ? child.value : child.value.replace(/\s+/g, ' ');
		return [{ words, looks, size, dx: 0, dy: 0 }];
	});
	const [first] = runs;
	if (!first) return [];
	const [left, top] = [length(x), length(y)];
	if (left !== undefined) first.x ??= left;
	if (top !== undefined) first.y ??= top;
	first.dx += length(dx) ?? 0;
	first.dy += length(dy) ?? 0;
	return runs;
}

/** Returns a text as a group of outlines. Runs that follow each other are anchored together. */
function lettersOf(text: Element, { width, set }: Lettering, around: Looks): Element {
	const { id, transform, opacity } = text.properties;
	const runs = runsOf(text, around);
	const isStart = (run: Run) => run.x !== undefined || run.y !== undefined;
	let [right, down] = [0, 0];
	const parts = runs.map((run, index) => {
		if (isStart(run) || index === 0) {
			const end = runs.findIndex((one, later) => later > index && isStart(one));
			const line = runs.slice(index, end === -1 ? undefined : end);
			if (line[0] && run.looks.xmlSpace !== 'preserve') {
				line[0].words = line[0].words.trimStart();
				line.at(-1)!.words = line.at(-1)!.words.trimEnd();
			}
			const length = line.reduce((sum, { words, size }) => sum + width(words, size), 0);
			const share = { middle: 0.5, end: 1 }[run.looks.textAnchor ?? ''] ?? 0;
			right = (run.x ?? right) - length * share;
			down = run.y ?? down;
		}
		right += run.dx;
		down += run.dy;
		const letters = set(run.words, right, down, run.size);
		right += width(run.words, run.size);
		return `<g fill="${run.looks.fill ?? 'currentColor'}">${letters}</g>`;
	});
	const { children } = unified()
		.use(rehypeParse, { fragment: true })
		.parse(`<svg>${parts.join('')}</svg>`);
	return {
		type: 'element',
		tagName: 'g',
		properties: {
			...(id && { id }),
			...(transform && { transform }),
			...(opacity && { opacity }),
			stroke: 'none',
		},
		children: (children[0] as Element).children,
	};
}
