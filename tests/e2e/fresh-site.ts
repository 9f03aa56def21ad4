/** The site as it is after its first start, which builds all of it: kept once, and copied for tests that begin there. */
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { filePath } from '#db/file-path.ts';
import { siteFolder, withLock } from '#src/build/builds.ts';
import { backup } from '#src/cli/backup.ts';
import { NODE_OPTIONS } from '#tests/support/no-downloads.mjs';

const kept = () => join(process.env['E2E_FOLDER']!, 'fresh');

/** Keeps the site of a database that nobody has changed yet. */
export async function keepFreshSite(databaseUrl: string): Promise<void> {
	const { file } = await backup(databaseUrl, kept(), new Date());
	await cp(file, join(kept(), 'site.db'));
	const folder = siteFolder(databaseUrl);
	// A build process may be tidying up.
	await withLock(folder, 'build', async () => {
		for (const part of ['current', 'builds', 'store', 'cache'])
			await cp(join(folder, part), join(kept(), 'site', part), { recursive: true });
	});
}

/** Returns the environment of the first site: with its address in their pages, others need no bundle of their own. */
export function settingsOf(): Record<string, string> {
	const port = process.env['E2E_PORT'] ?? '8991';
	return { SITE_URL: `http://127.0.0.1:${port}`, STYLEGUIDE: 'on', NODE_OPTIONS };
}

/** Copies it to a database that is not there yet. With `settingsOf` its server has nothing to build. */
export async function copyFreshSite(databaseUrl: string): Promise<void> {
	const file = filePath(databaseUrl)!;
	await mkdir(dirname(file), { recursive: true });
	await cp(join(kept(), 'site.db'), file);
	await cp(join(kept(), 'site'), siteFolder(databaseUrl), { recursive: true });
}
