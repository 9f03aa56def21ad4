// Must parse and run on any Node from 14 on, with nothing installed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { fail, install, quickEnv, root } from './install.mjs';

// npm's shell ends on a signal without passing it on.
const parent = process.ppid;
const args = process.argv.slice(2);
// Developing and measuring need the packages that tests need.
const node = install(['dev', 'bench'].includes(args[0]));
// Many parallel requests fill a large nursery with long-lived objects, so memory would grow for minutes between
// two full collections. Commands are short and have other needs; what passes through an archive is garbage at once.
const semiSpace = args.length === 0 ? 32 : /archive$/.test(args[0]) ? 2 : undefined;
// A server collects garbage when it comes to rest.
const options = semiSpace ? [`--max-semi-space-size=${semiSpace}`, '--expose-gc'] : [];
// The channel tells the server that this process is gone, however it ended.
const child = spawn(node, options.concat(join(root, 'src/cli/main.ts'), args), {
	cwd: root,
	env: quickEnv(),
	stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
if (process.env.npm_lifecycle_event) {
	setInterval(() => {
		if (process.ppid !== parent) child.kill('SIGTERM');
	}, 500);
}
child.on('error', (error) => fail(`Node cannot be started: ${error.message}.`));
child.on('exit', (code, signal) => {
	if (signal === 'SIGKILL')
		fail('The server was killed (SIGKILL), as the system does where memory runs out.');
	process.exit(code === null ? 1 : code);
});
