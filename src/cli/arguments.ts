import { HostError } from '#src/host/server.ts';

/** Arguments of each command. */
const USAGE: Readonly<Record<string, string>> = {
	...{ start: '', dev: '', build: '', migrate: '', seed: '' },
	admin: '[--remove-second-factor]',
	rollback: '[NUMBER]',
	backup: '[FOLDER]',
	restore: 'FILE|--latest [--force]',
	archive: '[FILE] [--with-secret]',
	'restore-archive': 'FILE [--force]',
};

/** Returns how a command is called where somebody asks for that, and refuses what it does not know. */
export function helpOf(name: string, args: readonly string[]): string | undefined {
	const usage = USAGE[name];
	if (usage === undefined) return undefined;
	const options: readonly string[] = usage.match(/--[\w-]+/g) ?? [];
	const call = name === 'start' ? 'npm start' : `npm run ${name}`;
	const help = `${call} ${options.length > 0 ? `-- ${usage}` : usage}`.trim();
	if (args.some((arg) => arg === '--help' || arg === '-h')) return help;
	const isKnown = (arg: string, at: number) =>
		arg.startsWith('-')
			? options.includes(arg)
			: /[A-Z]/.test(usage) && args.findIndex((other) => !other.startsWith('-')) === at;
	const unknown = args.find((arg, at) => !isKnown(arg, at));
	if (unknown) throw new HostError(`"${unknown}" is unknown here: ${help}`);
	return undefined;
}
