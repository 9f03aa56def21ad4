import { basename, join } from 'node:path';
import type { Db } from '#db/client.ts';
import { makePictures } from '#src/features/posts/pictures.server.ts';
import type { Site } from '#src/features/site/site.ts';
import type { KeptFile } from './site-files.ts';
import type { Target } from './target.ts';

/**
 * Begins to make the files of featured images and figures and to draw social pictures. Returns a function that waits for
 * them, once the pages are built.
 */
export function startPictures(
	db: Db,
	site: Site,
	{
		cacheDir,
		report,
		hasTime = () => true,
		isHurried,
		onPicturesLeft,
		isAwaited,
		memory,
	}: Pick<
		Target,
		'cacheDir' | 'report' | 'hasTime' | 'isHurried' | 'onPicturesLeft' | 'isAwaited' | 'memory'
	>,
): () => Promise<KeptFile[]> {
	let arePagesBuilt = false;
	const reporting = (doing: string) => (done: number, total: number) => {
		if (arePagesBuilt) report({ doing, done, total });
	};
	const make = async () => {
		// Slow to load, and only a build needs them.
		const { drawPictures, listSocialPictures } = await import('./social.server.ts');
		const { makeFigures } = await import('./figures.server.ts');
		const drawings = join(cacheDir, 'figures');
		const figures = await makeFigures(db, drawings, memory.figures);
		const made = await makePictures(db, join(cacheDir, 'media'), {
			figures: drawings,
			onProgress: reporting('Making images'),
		});
		const states = site.states.map(({ slug, name }) => ({ slug, name }));
		const subjects = listSocialPictures(site, states);
		const drawn = await drawPictures(subjects, join(cacheDir, 'social'), {
			hasTime: (picture) => {
				const isTime = hasTime(picture);
				if (!isTime) onPicturesLeft?.();
				return isTime;
			},
			...(isHurried && { isHurried }),
			...{ isQuick: isAwaited && memory.last !== undefined, left: memory.leftPictures },
			onProgress: reporting('Drawing pictures'),
		});
		const others = [...made, ...figures].map(([path, file]): KeptFile => {
			const last = memory.pictures.get(path);
			return last?.file === file ? last : { path, file, key: basename(file) };
		});
		memory.pictures = new Map(others.map((one) => [one.path, one]));
		return [...drawn, ...others];
	};
	const work = make();
	// Reported when awaited. Until then a failure must not end the process.
	work.catch(() => {});
	return () => {
		arePagesBuilt = true;
		return work;
	};
}
