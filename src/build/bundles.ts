/**
 * Folders of the bundle that all databases of this machine share: the page renderer with its scripts and
 * styles, and their compressed versions. Each version of the code has one.
 */
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY } from '#src/lib/dates.ts';
import { ROOT } from './builds.ts';
import { bundleDigest } from './fingerprint.ts';

const FOLDER = join(ROOT, '.site', 'bundles');
/** Folders that no build has used for as long are removed. */
const KEPT_MS = 3 * DAY;

export type Bundle = {
	/** Short digest of the code. */
	code: string;
	renderer: string;
	compressed: string;
};

/** Returns where this code's bundle is kept, and removes those of code that nothing has run lately. */
export async function useBundle(): Promise<Bundle> {
	const code = (await bundleDigest()).slice(0, 10);
	const folder = join(FOLDER, code);
	await mkdir(folder, { recursive: true });
	const now = Date.now();
	await utimes(folder, new Date(now), new Date(now));
	for (const other of await readdir(FOLDER)) {
		const used = await stat(join(FOLDER, other)).catch(() => undefined);
		if (used && now - used.mtimeMs > KEPT_MS) {
			await rm(join(FOLDER, other), { recursive: true, force: true });
		}
	}
	return { code, renderer: join(folder, 'renderer'), compressed: join(folder, 'compressed') };
}
