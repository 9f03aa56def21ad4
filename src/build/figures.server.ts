import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { and, eq, like } from 'drizzle-orm';
import type { Element, ElementContent } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import type { Db } from '#db/client.ts';
import { media, renderedPosts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { isWritten, WriteCursor } from '#src/core/builds/writes.server.ts';
import { clearProblem, recordProblem } from '#src/core/builds/problems.server.ts';
import {
	drawingsOf,
	MARGIN,
	pathOf,
	pngSize,
	undrawnFigures,
} from '#src/core/figures/pictures.server.ts';
import { isClassed } from '#src/lib/hast.ts';
import { fileOf } from '#src/core/figures/svg.ts';
import { DRAWING_TYPE } from '#src/features/media/media.ts';
import { loadLettering, type Lettering } from './lettering.server.ts';
import { toPng, toPngApart } from './raster.ts';
import { isMemoryShort } from './room.ts';

/** A figure that is a PNG in feeds and email. */
type Figure = { path: string; isForeign: boolean };

/** The figures of all articles. Of one that was not written to they are not looked for again. */
export class FigureList {
	readonly #cursor = new WriteCursor();
	readonly #figures = new Map<string, Figure[]>();

	/** Returns the figures of each article that has some, by the id of its post. */
	async read(db: Db): Promise<ReadonlyMap<string, Figure[]>> {
		const { writes, move } = await this.#cursor.next(db);
		const rows = await db
			.select(tolerant({ postId: renderedPosts.postId, html: renderedPosts.html }))
			.from(renderedPosts)
			.where(
				and(
					isWritten(renderedPosts.postId, writes),
					like(renderedPosts.html, '%data-picture="/media/figure-%'),
				),
			);
		if (writes) for (const id of writes.ids) this.#figures.delete(id);
		else this.#figures.clear();
		for (const { postId, html } of rows) this.#figures.set(postId, findFigures(html));
		move();
		return this.#figures;
	}
}

/** Class of a drawing that somebody uploaded. */
const FOREIGN = 'drawn-drawing';

/** Finds the figures of an article by their opening tags: to parse it takes most of the time of a build that draws nothing. */
function findFigures(html: string): Figure[] {
	const tags = html.match(/<svg(?:[^>"]|"[^"]*")*>/g) ?? [];
	return tags.flatMap((tag) => {
		const [, path] = / data-picture="(\/media\/figure-[0-9a-f]+\.png)"/.exec(tag) ?? [];
		const [, classes = ''] = / class="([^"]*)"/.exec(tag) ?? [];
		return path ? [{ path, isForeign: classes.split(' ').includes(FOREIGN) }] : [];
	});
}

/**
 * Makes the missing PNG files of all figures in `cacheDir`, for feeds and email, and removes all others. A file is made once,
 * because its name says what it shows. Returns each file by its path.
 */
export async function makeFigures(
	db: Db,
	cacheDir: string,
	list = new FigureList(),
): Promise<Map<string, string>> {
	const files = await drawMissing(db, cacheDir, list);
	const used = new Set([...files.values()].map((file) => basename(file)));
	const unused = (await readdir(cacheDir)).filter((name) => !used.has(name));
	await Promise.all(unused.map((name) => rm(join(cacheDir, name), { force: true })));
	return files;
}

/** Makes the files of uploaded drawings: with some that is not possible, which pages have to know. */
export async function checkDrawings(
	db: Db,
	cacheDir: string,
	list = new FigureList(),
): Promise<void> {
	const uploaded = db.select({ id: media.id }).from(media).where(eq(media.type, DRAWING_TYPE));
	// Most sites have none, and their articles need not be looked through at each build.
	if ((await uploaded.limit(1)).length > 0) await drawMissing(db, cacheDir, list, true);
}

/**
 * Draws the PNGs that are missing in the cache, of all figures or of uploaded drawings alone. What cannot be drawn is recorded and not
 * tried again. Returns files in the cache by their address.
 */
async function drawMissing(
	db: Db,
	cacheDir: string,
	list: FigureList,
	onlyForeign = false,
): Promise<Map<string, string>> {
	await mkdir(cacheDir, { recursive: true });
	const [figures, names, undrawn] = await Promise.all([
		list.read(db),
		readdir(cacheDir),
		undrawnFigures(db),
	]);
	const files = new Map<string, string>();
	const missing = new Set<string>();
	const present = new Set(names);
	const gone = new Set(undrawn);
	for (const [postId, all] of figures) {
		for (const { path, isForeign } of all) {
			gone.delete(path);
			if (undrawn.has(path) || (onlyForeign && !isForeign)) continue;
			files.set(path, join(cacheDir, basename(path)));
			if (!present.has(basename(path))) missing.add(postId);
		}
	}
	const lettering = missing.size > 0 && (await loadLettering(500));
	const drawings = (async function* () {
		for (const postId of missing) {
			const [row] = await db
				.select(tolerant({ title: renderedPosts.title, html: renderedPosts.html }))
				.from(renderedPosts)
				.where(eq(renderedPosts.postId, postId));
			for (const svg of drawingsOf(row?.html ?? '')) {
				const path = pathOf(svg);
				const file = files.get(path);
				if (!lettering || !file || present.has(basename(path))) continue;
				present.add(basename(path));
				yield { path, file, title: row!.title, draw: () => pictureOf(svg, lettering) };
			}
		}
	})();
	const worker = async () => {
		for await (const { path, file, title, draw } of drawings) {
			try {
				// A build may be killed at any time, so a file gets its name only when complete.
				await writeFile(`${file}.part`, await draw());
				await rename(`${file}.part`, file);
			} catch (error) {
				files.delete(path);
				const reason = `A figure of “${title}” has no picture in feeds and email: ${(error as Error).message}.`;
				console.error(reason);
				if (!isOfDisk(error)) await recordProblem(db, 'figure', path, reason, new Date());
			}
		}
	};
	await Promise.all(Array.from({ length: isMemoryShort() ? 1 : availableParallelism() }, worker));
	if (!onlyForeign) for (const path of gone) await clearProblem(db, 'figure', path);
	return files;
}

/** Returns whether the system refused a file (a full disk, a missing right), which the next build may be allowed. */
const isOfDisk = (error: unknown) => typeof (error as NodeJS.ErrnoException).syscall === 'string';

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
	const pixels = pngSize(shown).width;
	const drawing = fileOf(outlined({ ...svg, properties }, lettering));
	return (isClassed(svg, FOREIGN) ? toPngApart : toPng)(drawing, pixels, (72 * pixels) / wider);
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
