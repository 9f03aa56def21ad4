import type { AstroIntegration } from 'astro';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Db } from '#db/client.ts';
import { makePictures } from '#src/features/posts/pictures.server.ts';
import type { Target } from './target.ts';

/** Enough for a few thousand pictures. */
const PICTURES_MS = 120_000;

/**
 * Makes the files of featured images and figures and draws social pictures while pages are built, then places them in the
 * build.
 */
export function pictures(
	db: Db,
	{ cacheDir, report, picturesMs = PICTURES_MS, onPicturesLeft }: Target,
): AstroIntegration {
	// Slow to load, and only a build needs it.
	const loading = import('./social.server.ts');
	let images: Promise<Map<string, string>>;
	let arePagesDone = false;
	const reporting = (doing: string) => (done: number, total: number) => {
		if (arePagesDone) report({ doing, done, total });
	};
	const make = () => {
		const end = Date.now() + picturesMs;
		const work = loading.then(async ({ drawPictures }) => {
			const made = await makePictures(db, join(cacheDir, 'media'), reporting('Making images'));
			const { makeFigures } = await import('./figures.server.ts');
			const figures = await makeFigures(db, join(cacheDir, 'figures'));
			const drawn = await drawPictures(db, join(cacheDir, 'social'), {
				hasTime: () => {
					const isTime = Date.now() < end;
					if (!isTime) onPicturesLeft?.();
					return isTime;
				},
				onProgress: reporting('Drawing pictures'),
			});
			return new Map([...made, ...figures, ...drawn]);
		});
		// Reported when awaited. Until then a failure must not end the process.
		work.catch(() => {});
		return work;
	};
	return {
		name: 'pictures',
		hooks: {
			'astro:build:start': () => {
				images = make();
			},
			'astro:build:done': async ({ dir }) => {
				arePagesDone = true;
				const { placePictures } = await loading;
				await placePictures(await images, fileURLToPath(dir));
			},
		},
	};
}
