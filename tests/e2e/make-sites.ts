/**
 * Makes and serves the sites that browser tests open, before they do: their first builds use one of two cores for a minute, which
 * other tests can use meanwhile. Playwright starts no servers where `E2E_MADE` is set. Ends when its standard input does.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const { sites } = await import('#playwright.config.ts');

const servers: ChildProcess[] = [];
const endServers = () => servers.forEach((server) => server.kill('SIGTERM'));
process.on('exit', endServers);

for (const { command, env, wait } of sites) {
	const [program = '', ...args] = command.split(' ');
	const server = spawn(program, args, {
		stdio: ['ignore', 'pipe', 'inherit'],
		env: { ...process.env, ...env },
	});
	servers.push(server);
	await new Promise<void>((resolve, reject) => {
		createInterface({ input: server.stdout })
			.on('line', (line) => {
				console.log(line);
				if (wait.stdout.test(line)) resolve();
			})
			.on('close', () => reject(new Error('A site was not made.')));
	});
}
console.log('The sites are made.');
process.stdin.on('end', endServers).resume();
