/** Runs a Python program in a worker of the sandboxed frame. Bundled by the build. */
import { loadPyodide, type PyodideAPI } from 'pyodide';
import { info } from 'pyodide/pyodide-lock.json';
import { limitWasmMemory } from './memory.ts';
import { Outlet } from './outlet.ts';
import type { Order, Report } from './protocol.ts';
import { endOf, type End } from './python-ends.ts';

/** The files of Python, as the page has loaded them: nothing can be loaded from here. */
type PythonFiles = { wasm: ArrayBuffer; library: ArrayBuffer; code: ArrayBuffer };

addEventListener(
	'message',
	({ data, ports: [port] }: MessageEvent<PythonFiles>) => void serve(port!, data),
	{ once: true },
);

async function serve(port: MessagePort, files: PythonFiles): Promise<void> {
	const send = (report: Report) => port.postMessage(report);
	const outlet = new Outlet(send);
	const python = await start(files);
	const decoder = new TextDecoder();
	const write = (bytes: Uint8Array) => {
		outlet.write(decoder.decode(bytes, { stream: true }));
		return bytes.length;
	};
	python.setStdout({ write });
	python.setStderr({ write });
	port.onmessage = ({ data: { sources, from } }: MessageEvent<Order>) => {
		for (let block = from; block < sources.length; block++) {
			outlet.begin(block);
			let end: End | undefined;
			try {
				python.runPython(sources[block]!, { filename: `block ${block + 1}` });
			} catch (error) {
				end = endOf(error as Error);
			}
			try {
				python.runPython('import sys; sys.stdout.flush(); sys.stderr.flush()');
			} catch {
				// It has ended for good.
			}
			outlet.flush();
			if (end) return send({ ...end, block });
		}
		send({ kind: 'done' });
	};
	send({ kind: 'ready' });
}

async function start({ wasm, library, code }: PythonFiles): Promise<PyodideAPI> {
	limitWasmMemory();
	const { fetch } = globalThis;
	const files: Record<string, [ArrayBuffer, string]> = {
		'pyodide.asm.wasm': [wasm, 'application/wasm'],
		'python_stdlib.zip': [library, 'application/zip'],
	};
	globalThis.fetch = async (address) => {
		const { href } = new URL(address instanceof Request ? address.url : address);
		const [bytes, type] = files[href.split('/').at(-1)!]!;
		return new Response(bytes, { headers: { 'Content-Type': type } });
	};
	try {
		const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
		const { default: createPyodideModule } = (await import(/* @vite-ignore */ address)) as {
			default: unknown;
		};
		return await loadPyodide({
			indexURL: 'https://python.invalid/',
			// There are no packages besides the standard library.
			lockFileContents: { info, packages: {} } as never,
			createPyodideModule,
		} as Parameters<typeof loadPyodide>[0]);
	} finally {
		globalThis.fetch = fetch;
	}
}
