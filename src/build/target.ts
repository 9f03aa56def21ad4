import type { Progress } from './builds.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import type { BuildMemory } from './memory.ts';

/** Where a build goes. */
export type Target = {
	/** Where its files are stored, beside those of earlier builds. */
	store: FileStore;
	/** False where the host compresses them itself. */
	isCompressed?: boolean;
	/**
	 * Folder of what is made anew, before it is stored. Always the same one, because Astro's assets refer to it: with
	 * another one, no page would be reused.
	 */
	workDir: string;
	cacheDir: string;
	/** Knowledge from builds before. */
	memory: BuildMemory;
	/** True where a writer waits for this build: what can be done later is left to the hourly one. */
	isAwaited?: boolean;
	/** Takes what there is of a first build, by path, so that it can be read meanwhile. */
	serveEarly?: ((stored: ReadonlyMap<string, StoredFile>) => Promise<void>) | undefined;
	/** True where Astro itself is to render all pages, to be compared with. */
	isByAstro?: boolean;
	report: (progress: Progress) => void;
	/** Tells whether one more picture of a post may be drawn, which the build before may have left. Later builds draw the rest. */
	hasTime?: (picture: { wasLeft: boolean }) => boolean;
	/** Tells whether somebody waits for the next build, which then draws what this one has not, before what was left earlier. */
	isHurried?: () => boolean;
	/** Called if some are left. */
	onPicturesLeft?: () => void;
	/**
	 * Tells whether one more page of which only names changed may be rendered, so many milliseconds after the first of them.
	 * Later builds render the rest.
	 */
	hasTimeForNames?: (ms: number) => boolean;
};
