import { resolve } from 'node:path';
import * as files from '#src/cli/backup.ts';
import { HostError } from '#src/host/server.ts';
import { getEnv } from '#src/lib/env.ts';

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

/** `restore FILE [--force]`: replaces the database with a copy. */
export async function restore(): Promise<void> {
	const args = process.argv.slice(3);
	const file = args.find((argument) => !argument.startsWith('--'));
	if (!file) throw new HostError('Which file? npm run restore FILE');
	// npm consumes this option itself unless it follows two hyphens.
	const force = args.includes('--force') || process.env['npm_config_force'] === 'true';
	const { DATABASE_URL } = getEnv();
	const { counts, previousFile } = await files.restore(DATABASE_URL, resolveFromShell(file), {
		force,
		now: new Date(),
	});
	console.log(`Restored ${counts}.`);
	if (previousFile) console.log(`The database that was there is kept as ${previousFile}.`);
}

/** Resolves a path relative to the shell's folder; npm runs the command in the project's folder. */
function resolveFromShell(path: string): string {
	return resolve(process.env['INIT_CWD'] ?? '.', path);
}
