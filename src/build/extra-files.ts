import type { AstroIntegration } from 'astro';
import { stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { keyPath } from '#src/core/builds/indexnow.ts';
import { getEnv } from '#src/lib/env.ts';
import { siteSettings } from '#src/site.ts';
import { makeIcons } from './icons.ts';
import { serviceWorkerOf } from './service-worker.ts';
import { filesIn } from './site-files.ts';
import type { Source } from './fingerprint.ts';

/** Writes the service worker, redirects of renamed articles, the site's own logo and icons, and the IndexNow key file. */
export function extraFiles({ fingerprint, site }: Source): AstroIntegration {
	return {
		name: 'other-files',
		hooks: {
			'astro:build:done': async ({ dir }) => {
				await writeFile(
					new URL('sw.js', dir),
					await serviceWorkerOf(fingerprint, await sizesIn(dir)),
				);
				const { logo: drawing } = siteSettings();
				const rules = site.redirects.map(
					({ from, to }) => `${encodeURI(from)} ${encodeURI(to)} 301\n`,
				);
				if (rules.length > 0) await writeFile(new URL('_redirects', dir), rules.join(''));
				if (drawing.startsWith('<')) await writeFile(new URL('logo.svg', dir), drawing);
				for (const [name, file] of await makeIcons()) await writeFile(new URL(name, dir), file);
				const { INDEXNOW_KEY: key } = getEnv();
				if (key) await writeFile(new URL(`.${keyPath(key)}`, dir), key);
			},
		},
	};
}

/** Returns the bytes of each file below /_astro/ by its path. */
async function sizesIn(dir: URL): Promise<Record<string, number>> {
	const names = await filesIn(fileURLToPath(new URL('_astro', dir)));
	const sizes = names.sort().map(async (name): Promise<[string, number]> => {
		const { size } = await stat(new URL(`_astro/${name}`, dir));
		return [`/_astro/${name}`, size];
	});
	return Object.fromEntries(await Promise.all(sizes));
}
