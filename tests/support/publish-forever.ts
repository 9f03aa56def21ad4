/** Publishes, collects and goes back in a folder of builds until it is killed: `node publish-forever.ts FOLDER`. */
import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import {
	activateBuild,
	buildDir,
	currentBuild,
	keptBuilds,
	release,
	removeOldBuilds,
	rollBack,
	storeOf,
	withLock,
} from '#src/build/builds.ts';
import { Listing, type SiteFile } from '#src/build/listing.ts';

/** Builds a site of some pages, of which some changed. Returns the id of the build. */
export async function publish(folder: string): Promise<string> {
	const id = `b${Date.now()}-${process.pid}`;
	await release(folder);
	await withLock(folder, 'build', async () => {
		const replaced = await currentBuild(folder);
		const add = await storeOf(folder).open();
		const entries = Array.from({ length: 30 }, async (_, n): Promise<[string, SiteFile]> => {
			const path = `/page-${n}.html`;
			const text = `<p>${n} ${n === 0 ? id : Math.floor(Math.random() * 4)}</p>`.repeat(200);
			return [path, { ...(await add(path, Buffer.from(text))), modified: 0 }];
		});
		const listing = Listing.of(await Promise.all(entries));
		const parts = await listing.store(async (text) => (await add('', Buffer.from(text))).hash);
		await mkdir(buildDir(folder, id), { recursive: true });
		const about = { id, madeAt: Date.now(), cause: '', fingerprint: id, pageCount: 30, parts };
		await activateBuild(folder, about);
		// As if all of it was some time ago: fresh ones stay.
		const old = new Date(Date.now() - 61_000);
		for (const one of await readdir(join(folder, 'builds')))
			await utimes(buildDir(folder, one), old, old);
		await removeOldBuilds(folder, [id, replaced?.id ?? id]);
	});
	return id;
}

if (import.meta.main) {
	const [folder = ''] = process.argv.slice(2);
	for (;;) {
		await publish(folder);
		await rollBack(folder, (await keptBuilds(folder)).at(-1)!.id);
		console.log('published');
	}
}
