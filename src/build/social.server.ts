import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { geoAzimuthalEqualArea, geoCentroid, geoPath } from 'd3-geo';
import sharp from 'sharp';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import {
	articleCard,
	categoryCard,
	hasOtherLetters,
	siteCard,
	stateCard,
	type SocialCard,
} from '#src/features/site/cards.ts';
import type { Article, Site } from '#src/features/site/site.ts';
import { digest } from '#src/lib/digest.ts';
import { pictures, site } from '#src/site.ts';
import { corners, drawArt, HEIGHT, plateOf, rectangle, WIDTH } from '#src/features/covers/cover.ts';
import { loadLettering, type Lettering } from './lettering.server.ts';
import { HUE } from '#src/lib/pen.ts';
import type { KeptFile } from './site-files.ts';

/** A picture that is wanted, and what is known of its file. */
export type SocialPicture = SocialCard & { known?: Known };
/** Facts found out about a picture's file. */
type Known = {
	/** The art by which it is known. */
	version: string;
	/** Name of the file, which says what it shows. */
	name: string;
	isDrawn: boolean;
	/** The picture, or that of the category in its place. */
	kept?: KeptFile;
};

const PAPER = '#fafaf7';
const INK = '#10161d';

/** The left part is for the title, the right one for the art. */
const PANEL = 480;
const MARGIN = 64;
const TITLE_WIDTH = WIDTH - PANEL - 2 * MARGIN;
const SIZES = [76, 70, 64, 58, 53, 48, 44, 40, 36, 32];
const LEADING = 1.1;
/** From below the site's name to above the bottom line. */
const TITLE_HEIGHT = 370;

const subjects = new WeakMap<Article, SocialPicture>();

function subjectOf(article: Article): SocialPicture {
	const subject = subjects.get(article) ?? articleCard(article);
	subjects.set(article, subject);
	return subject;
}

/** Returns every picture that a site has. */
export function listSocialPictures(
	{ articles, categories }: Pick<Site, 'articles' | 'categories'>,
	states: { slug: string; name: string }[],
): SocialPicture[] {
	return [
		siteCard(),
		...categories.map(categoryCard),
		...states.map(stateCard),
		...articles.map(subjectOf),
	];
}

/** Loads what pictures need and returns a function that composes them as SVG. */
export async function createComposer(): Promise<Composer> {
	const [heading, text, outlineOf] = await Promise.all([
		loadLettering(700, -0.02),
		loadLettering(500),
		loadOutlines(),
	]);
	return (subject) => {
		const line = (words: string) => heading.drawable(words);
		const title = line(subject.title) || line(subject.excerpt ?? '') || line(site.tagline);
		const kind = text.drawable(subject.kind);
		return compose({ ...subject, title: title || site.name, kind }, heading, text, outlineOf);
	};
}

type Composer = (subject: SocialPicture) => string;

function compose(
	{ title, kind, slug, cover, color, state }: SocialPicture,
	heading: Lettering,
	text: Lettering,
	outlineOf: (state: string) => Outline | undefined,
): string {
	const weight = 2.4;
	const outline = state === undefined ? undefined : outlineOf(state);
	const { layers, focus, label, data } = drawArt(slug, cover, 'card', {
		weight,
		width: 0.86 * PANEL,
	});
	const framed = outline?.bounds ?? focus;
	// Shows a plot whole, and of another art the part around its focus.
	const middle = cover || !framed ? WIDTH / 2 : framed.x + framed.width / 2;
	const from = Math.round(Math.max(0, Math.min(WIDTH - PANEL, middle - PANEL / 2)));
	const named = () => {
		if (!focus || !label) return '';
		const size = { width: Math.round(text.width(label, 40) + 28), height: 58 };
		const plate = plateOf(focus, size, data, [from, from + PANEL]);
		if (!plate) return '';
		return `<path fill="${HUE}" stroke="none" d="${rectangle(plate)}"/><g fill="${PAPER}" stroke="none">${text.set(label, plate.x + 14, plate.y + 43, 40)}</g>`;
	};
	const drawn = outline
		? `<path fill="${HUE}" fill-opacity=".14" stroke="none" d="${outline.data}"/><path stroke-width="3.5" stroke-linejoin="round" d="${outline.data}"/>${corners(outline.bounds, 6)}`
		: layers + (focus ? corners(focus, 2.5 * weight) : '') + named();
	const colored = drawn.replaceAll(HUE, color);
	const fitted = heading.fit(title, TITLE_WIDTH, SIZES, (size) =>
		Math.floor(TITLE_HEIGHT / (size * LEADING)),
	);
	// Titles sit on the bottom line, so that short ones leave free space above.
	const foot = HEIGHT - MARGIN;
	const lines = fitted.lines.map((line, n) =>
		heading.set(
			line,
			MARGIN,
			foot - 66 - (fitted.lines.length - 1 - n) * fitted.size * LEADING,
			fitted.size,
		),
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><path fill="${PAPER}" d="M0 0h${WIDTH}v${HEIGHT}H0z"/><svg x="${WIDTH - PANEL}" width="${PANEL}" height="${HEIGHT}" viewBox="${from} 0 ${PANEL} ${HEIGHT}"><path fill="${mixColors(color, '#ffffff', 0.09)}" d="M0 0h${WIDTH}v${HEIGHT}H0z"/><g color="${INK}" fill="none" stroke="currentColor" stroke-linecap="round">${colored}</g></svg><g transform="translate(${MARGIN - 4} ${MARGIN - 8})scale(1.35)"><path d="M4 11V4h7M21 4h7v7M28 21v7h-7M11 28H4v-7" fill="none" stroke="${color}" stroke-width="2.6"/><circle cx="16" cy="16" r="4.2" fill="${color}"/></g><g fill="${INK}">${heading.set(heading.drawable(site.name), MARGIN + 54, MARGIN + 24, 32)}${lines.join('')}</g><g fill="${color}">${text.set(kind, MARGIN, foot, 27)}</g></svg>`;
}

type Outline = { data: string; bounds: { x: number; y: number; width: number; height: number } };

/** Loads the states' outlines. Returns a function from a state's name to its outline, scaled to fill the panel. */
async function loadOutlines(): Promise<(state: string) => Outline | undefined> {
	const file = createRequire(import.meta.url).resolve('us-atlas/states-10m.json');
	const topology = JSON.parse(await readFile(file, 'utf8')) as Topology<{
		states: GeometryCollection<{ name: string }>;
	}>;
	const { features } = feature(topology, topology.objects.states);
	const left = (WIDTH - PANEL) / 2;
	return (state) => {
		const shape = features.find(({ properties }) => properties.name === state);
		if (!shape) return undefined;
		const [longitude, latitude] = geoCentroid(shape);
		const projection = geoAzimuthalEqualArea()
			.rotate([-longitude, -latitude])
			.fitExtent(
				[
					[left + 56, 100],
					[left + PANEL - 56, HEIGHT - 100],
				],
				shape,
			);
		const draw = geoPath(projection).digits(1);
		const [[x, y], [right, bottom]] = draw.bounds(shape);
		return {
			data: draw(shape)!,
			bounds: { x: x - 22, y: y - 22, width: right - x + 44, height: bottom - y + 44 },
		};
	};
}

/** Mixes a share of one color into another. */
function mixColors(color: string, base: string, share: number): string {
	const [over, under] = [color, base].map((hex) =>
		[1, 3, 5].map((n) => parseInt(hex.slice(n, n + 2), 16)),
	) as [number[], number[]];
	return `#${under
		.map((value, n) => Math.round(value + (over[n]! - value) * share))
		.map((value) => value.toString(16).padStart(2, '0'))
		.join('')}`;
}

/**
 * The art is flat. With more than 16 colors the library uses 256, which takes twice the time and bytes and
 * looks the same.
 */
const PNG = { palette: true, colors: 16, dither: 0, effort: 1, compressionLevel: 9 };

/** Renders the picture as a PNG with a palette. */
export async function rasterize(svg: string): Promise<Buffer> {
	return sharp(Buffer.from(svg)).png(PNG).toBuffer();
}

/**
 * Returns a digest that changes whenever a picture with the same words would look different: the art with a
 * plot and without one, the typesetting and the site's name.
 */
function versionOf(compose: Composer): string {
	const known = versions.get(site.name);
	if (known !== undefined) return known;
	const arts = ['', 'M80 530l1040 -400', 'M80 200h900v80h-900z'].map((data) => ({
		slug: 'a',
		cover: data && `${data}\n${data}\n\nM90 90h0\n600 330\n9.5%`,
	}));
	const common = { path: '', title: 'A title, of which some lines are made', color: INK };
	const version = digest(
		JSON.stringify(PNG),
		...arts.map((picture) => compose({ ...common, ...picture, kind: 'Kind' })),
		compose({ ...common, slug: '', cover: '', kind: '', state: 'Texas' }),
		compose({ ...common, slug: '', cover: '', kind: '学习', title: '学习 🙂' }),
	);
	versions.set(site.name, version);
	return version;
}

const versions = new Map<string, string>();
/** Names the file of a picture, where the art is not the one by which it is known. */
function identify(subject: SocialPicture, version: string): void {
	if (subject.known?.version === version) return;
	const { path: _path, known: _known, ...content } = subject;
	const name = `${digest(version, JSON.stringify(content)).slice(0, 32)}.png`;
	subject.known = { version, name, isDrawn: false };
}

let composer: ReturnType<typeof createComposer> | undefined;

type DrawOptions = {
	/** Called before each post's picture. */
	hasTime?: (picture: { wasLeft: boolean }) => boolean;
	/** Tells whether the next build is to draw what this one leaves. */
	isHurried?: () => boolean;
	/** Names of those that the build before left, which come last; then of those that this one leaves. */
	left?: Set<string>;
	/** Trusts the facts known of files, and removes none. */
	isQuick?: boolean | undefined;
	onProgress?: (done: number, total: number) => void;
};

/**
 * Draws the missing ones of these pictures into `cacheDir` and removes all others. A picture is drawn
 * again only if its words, its color or the art changed. Returns their files: the same objects where nothing changed. Posts
 * that were not left before come first, newest first; those left when time runs out use their category's picture until a
 * later build.
 */
export async function drawPictures(
	wanted: SocialPicture[],
	cacheDir: string,
	{
		hasTime = () => true,
		isHurried = () => false,
		left = new Set(),
		isQuick,
		onProgress = () => {},
	}: DrawOptions = {},
): Promise<KeptFile[]> {
	await mkdir(cacheDir, { recursive: true });
	const compose = await (composer ??= createComposer());
	const version = versionOf(compose);
	for (const subject of wanted) identify(subject, version);
	const before = new Set(left);
	// If there is no time now for what was left, there will be none later, and nothing of it is looked at.
	const isOver = isQuick && before.size > 0 && !hasTime({ wasLeft: true });
	if (!isOver) left.clear();
	const unsure = isQuick
		? wanted.filter(
				({ known }) => !known!.isDrawn && !(isOver && known!.kept && before.has(known!.name)),
			)
		: wanted;
	const names = unsure.map(({ known }) => known!.name);
	const present = isQuick
		? await presentOf(
				cacheDir,
				names.filter((name) => !before.has(name)),
			)
		: new Set(await readdir(cacheDir));
	/** Gives a picture this file of the folder: the same object where it has that. */
	const keep = ({ path, known }: SocialPicture, name: string) => {
		if (known!.kept?.key !== name) known!.kept = { path, file: join(cacheDir, name), key: name };
		known!.isDrawn = known!.name === name;
	};
	const missing = unsure.filter(({ known }) => !present.has(known!.name));
	for (const subject of unsure)
		if (present.has(subject.known!.name)) keep(subject, subject.known!.name);
	const standIns = new Map<string, string | undefined>();
	const standInOf = ({ kind }: SocialPicture) => {
		const isOf = ({ path, slug, title }: SocialPicture) =>
			title === kind && path === pictures.category(slug);
		if (!standIns.has(kind)) standIns.set(kind, wanted.find(isOf)?.known!.name);
		return standIns.get(kind);
	};
	let done = 0;
	const wasLeft = ({ known }: SocialPicture) => before.has(known!.name);
	const work = [
		...missing.filter((subject) => !wasLeft(subject)),
		...missing.filter(wasLeft),
	].values();
	const worker = async (_: unknown, at: number) => {
		for (const subject of work) {
			const { name } = subject.known!;
			const isPost = subject.path === pictures.post(subject.slug);
			const standIn = isPost && standInOf(subject);
			if (standIn && !hasTime({ wasLeft: wasLeft(subject) })) {
				keep(subject, standIn);
				if (wasLeft(subject) || !isHurried()) left.add(name);
				continue;
			}
			// A build may be killed at any time, so a file gets its name only when complete.
			if (hasOtherLetters(subject.title))
				console.warn(
					`The picture of “${subject.title}” for social networks has other words where its font lacks the letters.`,
				);
			const part = join(cacheDir, `${name}.${at}.part`);
			await writeFile(part, await rasterize(compose(subject)));
			await rename(part, join(cacheDir, name));
			keep(subject, name);
			onProgress(++done, missing.length);
		}
	};
	await Promise.all(Array.from({ length: availableParallelism() }, worker));
	if (!isQuick) {
		const unused = present.difference(new Set(names));
		await Promise.all([...unused].map((name) => rm(join(cacheDir, name), { force: true })));
	}
	return wanted.map(({ known }) => known!.kept!);
}

/** Returns which of these files are in a folder. */
async function presentOf(folder: string, names: string[]): Promise<Set<string>> {
	const found = await Promise.all(
		names.map(async (name) =>
			(await stat(join(folder, name)).catch(() => undefined)) ? name : [],
		),
	);
	return new Set(found.flat());
}
