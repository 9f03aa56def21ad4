/** Runs a JavaScript program in a worker of the sandboxed frame. Bundled by the build. */
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { format, inspect } from 'node-inspect-extracted';
import { moduleOf, placeOf } from './javascript.ts';
import { limitMemory } from './memory.ts';
import { Outlet } from './outlet.ts';
import type { Order, Report } from './protocol.ts';

/** Modules of Node's that programs may import. */
const MODULES: Record<string, object> = {
	'node:util': { format, inspect },
	'node:crypto': { createHash },
};

function createHash(name: string) {
	const hash = { sha256, sha512 }[name]?.create();
	if (!hash) throw new Error(`There is no ${name} here, only sha256 and sha512.`);
	const digest = {
		update(text: string | Uint8Array) {
			hash.update(typeof text === 'string' ? new TextEncoder().encode(text) : text);
			return digest;
		},
		digest: (encoding: 'hex') => {
			if (encoding !== 'hex') throw new Error('A digest is “hex” here.');
			return bytesToHex(hash.digest());
		},
	};
	return digest;
}

addEventListener('message', ({ ports: [port] }) => serve(port!), { once: true });

function serve(port: MessagePort): void {
	const send = (report: Report) => port.postMessage(report);
	const outlet = new Outlet(send);
	const print = (...values: unknown[]) => outlet.write(`${format(...values)}\n`);
	Object.assign(console, { log: print, info: print, debug: print, warn: print, error: print });
	const { fetch } = globalThis;
	Object.assign(globalThis, {
		$at: (block: number) => outlet.begin(block),
		$module(name: string) {
			if (MODULES[name]) return MODULES[name];
			throw new Error(`${name} is not here: the program runs in a browser.`);
		},
		fetch: (...args: Parameters<typeof fetch>) =>
			fetch(...args).catch(() => {
				throw new TypeError('Programs have no network here.');
			}),
	});
	limitMemory();
	port.onmessage = ({ data }: MessageEvent<Order>) => {
		const { source, lines } = moduleOf(data.sources);
		const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
		const fail = (error: unknown) => {
			outlet.flush();
			const line = lineOf(error, address);
			const place = line === undefined ? undefined : placeOf(line, lines);
			const message = messageOf(error) + (place ? ` (line ${place.line})` : '');
			send({ kind: 'failed', block: place?.block ?? outlet.block, message });
		};
		addEventListener('unhandledrejection', ({ reason }) => fail(reason));
		import(/* @vite-ignore */ address).then(() => {
			outlet.flush();
			send({ kind: 'done' });
		}, fail);
	};
	send({ kind: 'ready' });
}

const messageOf = (error: unknown) =>
	error instanceof Error ? `${error.name}: ${error.message}` : `Uncaught ${inspect(error)}`;

/** Returns the line of the program at which an error was thrown, where the browser says. */
function lineOf(error: unknown, address: string): number | undefined {
	const stack = error instanceof Error ? (error.stack ?? '') : '';
	const line = /^:(\d+)/.exec(stack.split(address)[1] ?? '')?.[1];
	return line === undefined ? undefined : Number(line);
}
