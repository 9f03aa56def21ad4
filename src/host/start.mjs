// Parses and runs on any Node from 14 on, with nothing installed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fail, install, root } from './install.mjs';

const node = install();
// The channel tells the server when this process is gone, however it ended.
const child = spawn(node, [join(root, 'src/host/main.ts')].concat(process.argv.slice(2)), {
	cwd: root,
	// What Node compiled once is kept for later processes, builds most of all: they load a third sooner.
	env: Object.assign(
		{ NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') },
		process.env,
	),
	stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`Node cannot be started: ${error.message}.`));
child.on('exit', (code) => process.exit(code === null ? 1 : code));
