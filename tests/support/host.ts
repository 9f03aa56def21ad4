/** The real one-machine server in a process of its own, for benches and chaos. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Seconds in a row in which a server at rest uses hardly any processor. */
const QUIET_SECONDS = 5;

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

export type Host = {
	address: string;
	process: ChildProcess;
	/** A `fetch` of a path as the signed-in admin; it signs in again where it must. */
	asAdmin(method: string, path: string, body?: object): Promise<Response>;
	/** Publishes an article in the first category. Returns where it is. */
	publish(title: string, content: string): Promise<{ id: string; slug: string }>;
	/** Ends it in order. */
	stop(): Promise<void>;
	/** Ends it at once, as a power cut would. */
	kill(): Promise<void>;
};

/** Starts it on any port, unless `env` names one, and waits until it has a site. Throws what it said where it ends instead. */
export async function startHost(env: Record<string, string>): Promise<Host> {
	const child = spawn(
		process.execPath,
		['--max-semi-space-size=32', '--expose-gc', 'src/cli/main.ts'],
		{
			cwd: ROOT,
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
			env: {
				...process.env,
				HOST: '127.0.0.1',
				PORT: '0',
				ADMIN_EMAIL: ADMIN.email,
				ADMIN_PASSWORD: ADMIN.password,
				CHECK_SOURCES: 'off',
				...env,
			},
		},
	);
	let said = '';
	child.stderr!.on('data', (chunk) => (said += String(chunk)));
	const address = await new Promise<string>((resolve, reject) => {
		child.once('exit', () => reject(new Error(`The server did not start: ${said}`)));
		child.stdout!.on('data', (chunk) => {
			said += String(chunk);
			const found = /^Admin +(\S+)\/admin/m.exec(said)?.[1];
			if (found) resolve(found);
		});
	});
	// The desk is there before the first build is.
	while (!(await fetch(`${address}/api/ready`).catch(() => undefined))?.ok) {
		if (child.exitCode !== null) throw new Error(`The server did not start: ${said}`);
		await sleep(50);
	}
	let cookie: Promise<string> | undefined;
	const signIn = async () => {
		const response = await fetch(`${address}/api/admin/login`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(ADMIN),
		});
		return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
	};
	const end = async (signal: NodeJS.Signals) => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, 'exit');
		// A power cut ends all of them. Those that end in order are told by their parent.
		if (signal === 'SIGKILL') spawnSync('kill', ['-9', ...(await treeOf(child.pid!)).map(String)]);
		else child.kill(signal);
		await ended;
	};
	const asAdmin = async (method: string, path: string, body?: object) => {
		cookie ??= signIn();
		const response = await fetch(address + path, {
			method,
			headers: { Cookie: await cookie, 'Content-Type': 'application/json' },
			...(body && { body: JSON.stringify(body) }),
		});
		if (response.status === 401) cookie = undefined;
		return response;
	};
	return {
		address,
		process: child,
		asAdmin,
		async publish(title, content) {
			const [category] = (await (await fetch(`${address}/api/categories`)).json()) as {
				id: string;
			}[];
			const post = { title, content, categoryId: category!.id, published: true };
			const response = await asAdmin('POST', '/api/admin/posts', post);
			if (!response.ok) throw new Error(`Not published: ${await response.text()}`);
			return (await response.json()) as { id: string; slug: string };
		},
		stop: () => end('SIGTERM'),
		kill: () => end('SIGKILL'),
	};
}

type Usage = { mb: number; seconds: number };

/** What a process holds in MB and the seconds of processor that it has used; undefined where the system does not say. */
export async function usageOf(pid: number): Promise<Usage | undefined> {
	try {
		const [status, stat] = await Promise.all(
			['status', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
		);
		// After the name, which may hold spaces: user and system time in hundredths of a second.
		const [user, system] = stat!.slice(stat!.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
		return {
			mb: Number(/VmRSS:\s+(\d+)/.exec(status!)![1]) / 1024,
			seconds: (user! + system!) / 100,
		};
	} catch {
		return undefined;
	}
}

/** Returns the ids of the processes that one has started, and which have not ended. */
export async function childrenOf(pid: number): Promise<number[]> {
	const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
	return children.split(' ').filter(Boolean).map(Number);
}

/** Returns the ids of a process and of all below it, those below first. */
async function treeOf(pid: number): Promise<number[]> {
	const below = await Promise.all((await childrenOf(pid)).map(treeOf));
	return [...below.flat(), pid];
}

/** The same of a server and the processes that it started, which have not ended. */
export async function wholeUsageOf({ process: { pid } }: Host): Promise<Usage | undefined> {
	const used = (await Promise.all((await treeOf(pid!)).map(usageOf))).filter((one) => !!one);
	if (used.length === 0) return undefined;
	return used.reduce((sum, one) => ({ mb: sum.mb + one.mb, seconds: sum.seconds + one.seconds }));
}

/** Waits until a server has nothing left to do: after its start it draws pictures and makes downloads. */
export async function atRest(host: Host): Promise<void> {
	let last: number | undefined;
	for (let quiet = 0; quiet < QUIET_SECONDS; quiet++) {
		await sleep(1000);
		const used = (await wholeUsageOf(host))?.seconds;
		if (used === undefined) return;
		if (last === undefined || Math.abs(used - last) > 0.1) quiet = 0;
		last = used;
	}
}
