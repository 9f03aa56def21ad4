/**
 * Makes the sites that browser tests open, before they do: their first builds use one of two cores for a minute, which other
 * tests can use meanwhile. Playwright's servers take them as they are where `E2E_MADE` is set.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const { sites } = await import('#playwright.config.ts');

for (const { command, env, wait } of sites) {
	const [program = '', ...args] = command.split(' ');
	const server = spawn(program, args, {
		stdio: ['ignore', 'pipe', 'inherit'],
		env: { ...process.env, ...env },
	});
	let isMade = false;
	for await (const line of createInterface({ input: server.stdout })) {
		console.log(line);
		if (!wait.stdout.test(line)) continue;
		isMade = true;
		server.kill('SIGTERM');
	}
	if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
	if (!isMade) throw new Error('A site was not made.');
}
