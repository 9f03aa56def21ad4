import code from 'pyodide/pyodide.asm.mjs?url';
import wasm from 'pyodide/pyodide.asm.wasm?url';
import library from 'pyodide/python_stdlib.zip?url';

/** Addresses of the files of Python on this site, and about as many bytes as they have together, for the progress. */
const FILES = { wasm, library, code };
const BYTES = 13_400_000;

/** Loads the files of Python, and says how much of them has come, from 0 to 1. */
export async function loadPython(
	onProgress: (share: number) => void,
): Promise<Record<keyof typeof FILES, ArrayBuffer>> {
	let come = 0;
	const load = async (address: string) => {
		const response = await fetch(address);
		if (!response.ok || !response.body) throw new Error(`${address} answers ${response.status}`);
		const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
			transform(piece, controller) {
				come += piece.length;
				onProgress(Math.min(0.99, come / BYTES));
				controller.enqueue(piece);
			},
		});
		return new Response(response.body.pipeThrough(counted)).arrayBuffer();
	};
	const [wasm, library, code] = await Promise.all([
		load(FILES.wasm),
		load(FILES.library),
		load(FILES.code),
	]);
	onProgress(1);
	return { wasm, library, code };
}
