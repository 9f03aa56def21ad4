/** Runs a Python program in a worker of the sandboxed frame. Bundled by the build. */
import { loadPyodide, type PyodideAPI } from 'pyodide';
import { info } from 'pyodide/pyodide-lock.json';
import { limitWasmMemory } from './memory.ts';
import { Outlet } from './outlet.ts';
import type { Order, Report } from './protocol.ts';

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
			try {
				python.runPython(sources[block]!, { filename: `block ${block + 1}` });
				python.runPython('import sys; sys.stdout.flush(); sys.stderr.flush()');
				outlet.flush();
			} catch (error) {
				outlet.flush();
				return send({ kind: 'failed', block, message: explain(error as Error) });
			}
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

/** Returns a traceback without the lines about how the block was called. */
function explain({ message }: Error): string {
	const lines = message.trimEnd().split('\n');
	const own = lines.findIndex((line) => line.includes('File "block '));
	const shown = own === -1 ? lines.slice(-1) : ['Traceback:', ...lines.slice(own)];
	// The second is what Python says where its numbers are too small for the size.
	if (/^MemoryError|^OverflowError: .*index-sized/.test(lines.at(-1) ?? ''))
		shown.push('A program has 1 GB of memory here.');
	return shown.join('\n');
}
