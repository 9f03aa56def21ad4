import type { Progress } from './builds.ts';

/** Where a build goes. */
export type Target = {
	outDir: string;
	cacheDir: string;
	report: (progress: Progress) => void;
	/** How long pictures of posts may be drawn. Later builds draw the rest. */
	picturesMs?: number;
	/** Called if some are left. */
	onPicturesLeft?: () => void;
};
