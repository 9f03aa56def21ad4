/** The project's commands on one machine. Started by start.mjs, which installs missing packages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { outageOf } from '#db/outage.ts';
import { ROOT } from '#src/build/builds.ts';
import { helpOf } from '#src/cli/arguments.ts';
import { HostError } from '#src/host/server.ts';
import { getEnv } from '#src/lib/env.ts';

/** Errors whose message is one sentence for a person, by name: what a command does not need is not loaded. */
const EXPECTED = ['Archive', 'Bucket', 'Build', 'Database', 'Env', 'Host', 'Memory', 'Seal'].map(
	(name) => `${name}Error`,
);

/** Each command loads only what it needs, so that all of them start fast. */
const commands: Record<string, () => Promise<void>> = {
	start: async () => {
		// With any other value React, which writes emails, takes 4.5 times as long.
		process.env['NODE_ENV'] ||= 'production';
		const { placeInFront, startInFront } = await import('./front.ts');
		const place = await placeInFront();
		if (place) await startInFront(place);
		else await (await import('./commands/start.ts')).start();
	},
	dev: async () => (await import('./commands/dev.ts')).dev(),
	build: async () => (await import('./commands/build.ts')).build(),
	migrate: async () => (await import('./commands/database.ts')).migrate(),
	seed: async () => (await import('./commands/database.ts')).seed(),
	admin: async () => (await import('./commands/admin.ts')).admin(),
	rollback: async () => (await import('./commands/rollback.ts')).rollback(),
	backup: async () => (await import('./commands/backup.ts')).backup(),
	restore: async () => (await import('./commands/backup.ts')).restore(),
	archive: async () => (await import('./commands/archive.ts')).archive(),
	'restore-archive': async () => (await import('./commands/archive.ts')).restoreArchive(),
	bench: async () => {
		await import(new URL('../../tests/bench/main.ts', import.meta.url).href);
	},
};

try {
	const [name = 'start', ...args] = process.argv.slice(2);
	const help = helpOf(name, args);
	if (help) {
		console.log(help);
		process.exit();
	}
	// The database, emails and copies are private. What is built for Netlify is public.
	if (name !== 'build') process.umask(0o077);
	if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'));
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	if (!command) throw new HostError(`There is no command "${name}".`);
	getEnv();
	await command();
} catch (error) {
	const isExpected = error instanceof Error && EXPECTED.includes(error.name);
	console.error(isExpected ? error.message : (outageOf(error) ?? error));
	process.exit(1);
}
