import * as files from '#src/cli/backup.ts';
import { resolveFromShell } from '#src/cli/backup.ts';
import { bucketOf } from '#src/cli/bucket.ts';
import { copiesFolder, fetchLatestCopy, latestCopy, proveCopy } from '#src/cli/copies.ts';
import { HostError } from '#src/host/server.ts';
import { getEnv } from '#src/lib/env.ts';
import { restoreFrom } from './archive.ts';

/** `backup [folder]`: copies an embedded database into a file, even while the server runs. */
export async function backup(): Promise<void> {
	const [folder = 'backups'] = process.argv.slice(3);
	const { file, counts } = await files.backup(
		getEnv().DATABASE_URL,
		resolveFromShell(folder),
		new Date(),
	);
	console.log(`${file}\nIt holds ${counts}.`);
}

/** `restore FILE|--latest [--force]`: replaces the database with a copy, or with the newest whole one of the nightly copies. */
export async function restore(): Promise<void> {
	const args = process.argv.slice(3);
	const { DATABASE_URL, BACKUP_FOLDER } = getEnv();
	const isLatest = args.includes('--latest') || process.env['npm_config_latest'] === 'true';
	const folder = isLatest && copiesFolder(DATABASE_URL, BACKUP_FOLDER);
	const bucket = bucketOf(getEnv());
	const file = folder
		? ((await latestCopy(DATABASE_URL, folder)) ??
			(bucket && (await fetchLatestCopy(DATABASE_URL, folder, bucket))))
		: args.find((argument) => !argument.startsWith('--'));
	if (!file) {
		throw new HostError(
			folder
				? `There is no whole copy in ${folder}${bucket ? ` or at ${bucket.place}` : ''}.`
				: 'Which file? npm run restore FILE, or -- --latest for the newest of the nightly copies',
		);
	}
	if (folder) console.log(file);
	// npm consumes this option itself unless it follows two hyphens.
	const force = args.includes('--force') || process.env['npm_config_force'] === 'true';
	await proveCopy(resolveFromShell(file));
	if (file.endsWith('.zip')) return restoreFrom(resolveFromShell(file), force);
	const { counts, previousFile, away } = await files.restore(DATABASE_URL, resolveFromShell(file), {
		force,
		now: new Date(),
	});
	console.log(`Restored ${counts}.`);
	if (previousFile) console.log(`The database that was there is kept as ${previousFile}.`);
	console.log(files.leaverWords(away));
}
