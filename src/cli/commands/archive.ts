import { openDb } from '#db/local.ts';
import { keepSecret, prepareSecret } from '#src/build/prepare.ts';
import { archiveTo, countsOf, restoreArchive as restoreFile } from '#src/cli/archives.ts';
import { leaverWords, resolveFromShell } from '#src/cli/backup.ts';
import { printDuration, printProgress } from '#src/cli/progress.ts';
import { Archive } from '#src/features/archive/read.server.ts';
import { HostError } from '#src/host/server.ts';
import { isoDay } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';

/** `archive [FILE] [--with-secret]`: writes everything that is stored into one file, also while the site runs. */
export async function archive(): Promise<void> {
	const { file, has } = readArguments();
	const { DATABASE_URL, DATABASE_AUTH_TOKEN, BACKUP_PASSPHRASE: passphrase } = getEnv();
	const now = new Date();
	if (has('with-secret')) {
		if (!passphrase) {
			throw new HostError('Set BACKUP_PASSPHRASE: without it the secret does not leave the site.');
		}
		await prepareSecret();
	}
	const target = resolveFromShell(file ?? `groundtruth-${isoDay(now)}.zip`);
	const db = await openDb(DATABASE_URL, DATABASE_AUTH_TOKEN);
	try {
		const counts = await archiveTo(db, target, {
			now,
			secret: has('with-secret') ? { value: getSecret(), passphrase: passphrase! } : undefined,
			onProgress: printProgress,
		});
		printDuration();
		console.log(`${target}\nIt holds ${counts}, and all else that is stored.`);
	} finally {
		db.$client.close();
	}
}

/** `restore-archive FILE [--force]`: restores an archive into an empty database, or in place of an embedded one. */
export async function restoreArchive(): Promise<void> {
	const { file, has } = readArguments();
	if (!file) throw new HostError('Which file? npm run restore-archive FILE');
	await restoreFrom(resolveFromShell(file), has('force'));
}

/** Restores one archive, and says what became of it and of the site's secret. */
export async function restoreFrom(file: string, force: boolean): Promise<void> {
	const { DATABASE_URL, DATABASE_AUTH_TOKEN, BACKUP_PASSPHRASE: passphrase } = getEnv();
	const archive = await Archive.open(file, printProgress);
	try {
		// A wrong passphrase is told before anything is done.
		const secret = passphrase ? await archive.secret(passphrase) : undefined;
		const { previousFile, away } = await restoreFile(archive, {
			databaseUrl: DATABASE_URL,
			authToken: DATABASE_AUTH_TOKEN,
			force,
			now: new Date(),
			onProgress: printProgress,
		});
		printDuration();
		console.log(`Restored ${countsOf(archive)}, and all else that was stored.`);
		if (previousFile) console.log(`The database that was there is kept as ${previousFile}.`);
		console.log(leaverWords(away));
		await printSecret(secret, archive.hasSecret);
	} finally {
		archive.close();
	}
}

async function printSecret(secret: string | undefined, isInArchive: boolean): Promise<void> {
	if (secret !== undefined) {
		const place = await keepSecret(secret, new Date());
		console.log(
			place
				? `The site's secret is in ${place}: links in old emails work.`
				: `Start the site with this SECRET, or links in old emails end:\n${secret}`,
		);
		return;
	}
	console.log(
		isInArchive
			? 'The secret in the archive was left: set BACKUP_PASSPHRASE to take it along.'
			: 'Start the site with the SECRET that it had, or links in old emails and the codes of an authenticator app end.',
	);
}

/** Returns a command's file and options. npm consumes options itself unless they follow two hyphens. */
function readArguments() {
	const args = process.argv.slice(3);
	const file = args.find((arg) => !arg.startsWith('--'));
	const has = (option: string) =>
		args.includes(`--${option}`) ||
		process.env[`npm_config_${option.replaceAll('-', '_')}`] === 'true';
	return { file, has };
}
