import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join, normalize } from 'node:path';
import { and, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { contentProblems, media, posts, renderedPosts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { recordProblem } from '#src/core/builds/problems.server.ts';
import { drawingsOf, pathOf, pngSize, undrawnFigures } from '#src/core/figures/pictures.server.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { digest } from '#src/lib/digest.ts';
import { CENTER, DRAWING_TYPE, MAX_IMAGE_PIXELS } from '#src/features/media/media.ts';
import {
	FIRST_FIGURE,
	FORMATS,
	picturePath,
	widthsOf,
	type Format,
	type Picture,
} from './picture.ts';
import { isPublic } from './posts.server.ts';

/** Encoding options. Raise `version` if the same options would give other bytes. */
const ENCODING = { version: 1, avif: { quality: 55, effort: 4 }, webp: { quality: 78 } };

/** Pixels of a side that WebP can hold: what is taller is made smaller. */
const MAX_SIDE = 16_383;

const MEDIA = /^\/api\/media\/([\w-]+)$/;

type Source = { picture: Picture; read: () => Promise<Buffer> };

type Post = Pick<typeof posts.$inferSelect, 'id' | 'featuredImage'>;

/** Returns what a post's picture is found by: its address, or where its first figure is. */
export const pictureKey = ({ id, featuredImage }: Post) =>
	featuredImage === FIRST_FIGURE ? `${FIRST_FIGURE}:${id}` : featuredImage;
const KEY = sql<string>`case ${posts.featuredImage} when ${FIRST_FIGURE} then ${`${FIRST_FIGURE}:`} || ${posts.id}
	else ${posts.featuredImage} end`;

/**
 * Returns the pictures of these keys: images of the library, files of public/ and first figures. Images on other hosts
 * are not included, because the policy does not allow them; their posts show a cover.
 */
export async function findPictures(
	db: Db,
	addresses: (string | null)[],
): Promise<Map<string, Picture>> {
	const found = await findSources(db, addresses);
	return new Map([...found].map(([address, { picture }]) => [address, picture]));
}

/**
 * Returns the addresses of small pictures by post: the smallest file that a build made, or the image of the library
 * for posts that are in none. Those without are shown by their covers, and so are those with a figure: to find it, each
 * article would be parsed.
 */
export async function findThumbnails(
	db: Db,
	rows: readonly (Post & { isBuilt: boolean })[],
): Promise<Map<string, string>> {
	const shown = rows.filter(({ featuredImage }) => featuredImage?.startsWith('/'));
	const built = shown.filter(({ isBuilt }) => isBuilt);
	const pictures = await findPictures(
		db,
		built.map(({ featuredImage }) => featuredImage),
	);
	return new Map(
		shown.flatMap(({ id, featuredImage, isBuilt }): [string, string][] => {
			const picture = pictures.get(featuredImage!);
			if (!isBuilt) return [[id, featuredImage!]];
			return picture ? [[id, picturePath(picture, widthsOf(picture)[0]!, 'webp')]] : [];
		}),
	);
}

async function findSources(
	db: Db,
	addresses: (string | null)[],
	figures = '',
): Promise<Map<string, Source>> {
	const wanted = new Set(addresses.filter((address) => address !== null));
	const ids = [...wanted].flatMap((address) => MEDIA.exec(address)?.[1] ?? []);
	const sources = new Map<string, Source>();
	const rows =
		ids.length === 0
			? []
			: await db
					.select({
						id: media.id,
						width: media.width,
						height: media.height,
						alt: media.alt,
						focus: media.focus,
						digest: media.digest,
					})
					.from(media)
					.where(
						and(
							inArray(media.id, ids),
							isNull(media.deletedAt),
							// It stands in the text, in the page's colors.
							ne(media.type, DRAWING_TYPE),
							sql`${media.id} not in (${undecodableImages(db)})`,
							isReadable('image row', media.id),
						),
					);
	for (const { id, digest: imageDigest, ...shape } of rows) {
		sources.set(`/api/media/${id}`, {
			picture: { name: nameOf(imageDigest), ...shape },
			read: async () => {
				const [row] = await db.select({ bytes: media.bytes }).from(media).where(eq(media.id, id));
				return row!.bytes;
			},
		});
	}
	for (const address of wanted) {
		const source = address.startsWith('/') && !MEDIA.test(address) && (await localFile(address));
		if (source) sources.set(address, source);
	}
	const start = `${FIRST_FIGURE}:`;
	const withFigure = [...wanted].filter((key) => key.startsWith(start));
	for (const { postId, picture, path } of await findFigures(
		db,
		withFigure.map((key) => key.slice(start.length)),
	)) {
		const read = () => readFile(join(figures, basename(path)));
		sources.set(start + postId, { picture, read });
	}
	return sources;
}

/** Returns of each of these posts the first figure whose PNG can be made, as a picture. Posts without one are left out. */
async function findFigures(db: Db, ids: string[]) {
	if (ids.length === 0) return [];
	const rows = await db
		.select(tolerant({ postId: renderedPosts.postId, html: renderedPosts.html }))
		.from(renderedPosts)
		.where(inArray(renderedPosts.postId, ids));
	const missing = await undrawnFigures(db);
	return rows.flatMap(({ postId, html }) => {
		const drawing = drawingsOf(html).find((one) => !missing.has(pathOf(one)));
		if (!drawing) return [];
		const { width, height, ariaLabel } = drawing.properties;
		const path = pathOf(drawing);
		const picture: Picture = {
			name: nameOf(path),
			...pngSize({ width: Number(width), height: Number(height) }),
			alt: String(ariaLabel ?? ''),
			focus: CENTER,
			figure: true,
		};
		return [{ postId, path, picture }];
	});
}

/** Images that could not be decoded. */
const undecodableImages = (db: Db) =>
	db
		.select({ id: contentProblems.subjectId })
		.from(contentProblems)
		.where(eq(contentProblems.kind, 'image'));

const featuredImages = (db: Db) =>
	db
		.selectDistinct({ address: KEY })
		.from(posts)
		.where(and(isNotNull(posts.featuredImage), isPublic(new Date())));

/**
 * Decodes every featured image without files in `cacheDir` and records those that fail: their posts are built
 * without a picture. Uploads are decoded on arrival today, but older ones were not.
 */
export async function checkPictures(db: Db, cacheDir: string): Promise<void> {
	const present = new Set(await readdir(cacheDir).catch(() => []));
	const addresses = (await featuredImages(db)).map(({ address }) => address);
	for (const [address, { picture, read }] of await findSources(db, addresses)) {
		const id = MEDIA.exec(address)?.[1];
		const isMade = widthsOf(picture).every((width) =>
			FORMATS.every((format) => present.has(basename(picturePath(picture, width, format)))),
		);
		if (!id || isMade) continue;
		const { default: sharp } = await import('sharp');
		try {
			await sharp(await read(), READING).stats();
		} catch (error) {
			const reason = `It cannot be decoded (${(error as Error).message.trim()}).`;
			console.error(`The image ${address} is left out. ${reason}`);
			await recordProblem(db, 'image', id, reason, new Date());
		}
	}
}

/** Partly decodable images are shown in part. */
const READING = { failOn: 'none', limitInputPixels: 4 * MAX_IMAGE_PIXELS } as const;

/** Returns a file of public/, or null if there is no such image. */
async function localFile(address: string): Promise<Source | null> {
	// A path that starts with a slash cannot leave the folder.
	const bytes = await readFile(join('public', normalize(address))).catch(() => null);
	if (!bytes) return null;
	const { default: sharp } = await import('sharp');
	const shape = await sharp(bytes)
		.metadata()
		.catch(() => null);
	if (!shape) return null;
	const { width, height } = shape.autoOrient;
	const name = nameOf(createHash('sha256').update(bytes).digest('hex'));
	return { picture: { name, width, height, alt: '', focus: CENTER }, read: async () => bytes };
}

const nameOf = (source: string) => digest(JSON.stringify(ENCODING), source).slice(0, 32);

/**
 * Makes the missing files of all public pictures in `cacheDir` and removes all others. `figures` is where the PNGs of
 * figures are. Returns the file of each path in the site.
 */
export async function makePictures(
	db: Db,
	cacheDir: string,
	{
		figures = '',
		onProgress = () => {},
	}: { figures?: string; onProgress?: (done: number, total: number) => void } = {},
): Promise<Map<string, string>> {
	await mkdir(cacheDir, { recursive: true });
	const rows = await featuredImages(db);
	const sources = await findSources(
		db,
		rows.map(({ address }) => address),
		figures,
	);
	const present = new Set(await readdir(cacheDir));
	const files = new Map<string, string>();
	const missing: { source: Source; width: number; format: Format; file: string }[] = [];
	for (const source of sources.values()) {
		for (const width of widthsOf(source.picture)) {
			for (const format of FORMATS) {
				const path = picturePath(source.picture, width, format);
				const file = join(cacheDir, basename(path));
				if (!files.has(path) && !present.has(basename(path)))
					missing.push({ source, width, format, file });
				files.set(path, file);
			}
		}
	}
	let done = 0;
	for (const { source, width, format, file } of missing) {
		const { default: sharp } = await import('sharp');
		try {
			const { picture } = source;
			const isTooTall = (picture.height * width) / picture.width > MAX_SIDE;
			const image = sharp(await source.read(), READING)
				.autoOrient()
				.resize(isTooTall ? { height: MAX_SIDE } : { width });
			// A build may be killed at any time, so a file gets its name only when complete.
			await image.toFormat(format, ENCODING[format]).toFile(`${file}.part`);
			await rename(`${file}.part`, file);
		} catch (error) {
			// A page may lack a size of its picture, but the site must not lack the page.
			console.error(`${basename(file)} cannot be made: ${(error as Error).message}`);
		}
		onProgress(++done, missing.length);
	}
	const used = new Set([...files.values()].map((file) => basename(file)));
	await Promise.all(
		[...present]
			.filter((name) => !used.has(name))
			.map((name) => rm(join(cacheDir, name), { force: true })),
	);
	return files;
}
