import { FileStore } from '#src/build/file-store.ts';
import { storeFiles } from '#src/build/site-files.ts';
import { countHit } from '#src/features/redirects/hits.server.ts';
import { Site } from '#src/host/static-site.ts';

/** Stores the files of a folder, beside it, and opens them as a build. */
export async function storedSite(dir: string): Promise<Site> {
	const store = new FileStore(`${dir}.store`);
	const listing = await storeFiles(await store.open(), { dir });
	return Site.open(
		{ listing, locate: (_path, file) => store.path(file) },
		dir,
		undefined,
		countHit,
	);
}
