import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keyPath } from '#src/core/builds/indexnow.ts';
import { ruleOf } from '#src/features/redirects/redirect.ts';
import { getEnv } from '#src/lib/env.ts';
import { siteSettings } from '#src/site.ts';
import { makeIcons } from './icons.ts';
import { serviceWorkerOf } from './service-worker.ts';
import { filesIn, type KeptFile } from './site-files.ts';
import type { Source } from './fingerprint.ts';

/** Writes the service worker, redirects of renamed articles, the site's own logo and icons, and the IndexNow key file. */
export async function writeExtraFiles(
	{ fingerprint, site }: Source,
	dir: URL,
	assets?: readonly KeptFile[],
): Promise<void> {
	const sizes = await sizesOf(assets ?? (await filesBelow(dir)));
	await writeFile(new URL('sw.js', dir), await serviceWorkerOf(fingerprint, sizes));
	const { logo: drawing } = siteSettings();
	const rules = site.redirects.map(
		({ from, to }) => `${encodeURI(ruleOf(from))} ${encoded(to)} 301\n`,
	);
	if (rules.length > 0) await writeFile(new URL('_redirects', dir), rules.join(''));
	if (drawing.startsWith('<')) await writeFile(new URL('logo.svg', dir), drawing);
	for (const [name, file] of await makeIcons()) await writeFile(new URL(name, dir), file);
	const { INDEXNOW_KEY: key } = getEnv();
	if (key) await writeFile(new URL(`.${keyPath(key)}`, dir), key);
}

/** Encodes a target: signs that were encoded because they would part it stay so, and an address elsewhere is as it was given. */
function encoded(to: string): string {
	return to.startsWith('/') ? encodeURI(to).replace(/%25(?=2[346BCF]|3[ABDF]|40)/gi, '%') : to;
}

type Asset = Pick<KeptFile, 'path' | 'file'>;

/** Returns the files that Astro has put into a folder. */
async function filesBelow(dir: URL): Promise<Asset[]> {
	const folder = fileURLToPath(dir);
	return (await filesIn(folder)).map((name) => ({ path: `/${name}`, file: join(folder, name) }));
}

/** Returns the bytes of each file below /_astro/ by its path. */
async function sizesOf(assets: readonly Asset[]): Promise<Record<string, number>> {
	const sizes = assets
		.filter(({ path }) => path.startsWith('/_astro/'))
		.sort((a, b) => (a.path < b.path ? -1 : 1))
		.map(async ({ path, file }): Promise<[string, number]> => [path, (await stat(file)).size]);
	return Object.fromEntries(await Promise.all(sizes));
}
