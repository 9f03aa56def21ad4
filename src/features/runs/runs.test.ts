import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { loadPyodide } from 'pyodide';
import { expect, test } from 'vitest';
import { PYTHON_MB } from './block.ts';
import { compareLines, outputOf } from './compare.ts';
import { FRAME_HEADERS, FRAME_HTML, FRAME_SCRIPT } from './frame.ts';
import { moduleOf, placeOf } from './javascript.ts';
import { Outlet } from './outlet.ts';
import { endOf } from './python-ends.ts';
import { LIMITS, type Report } from './protocol.ts';

test('the frame runs its own script, what the page hands in, and nothing else', () => {
	expect(FRAME_HTML.match(/<script>([^]*)<\/script>/)?.[1]).toBe(FRAME_SCRIPT);
	const hash = createHash('sha256').update(FRAME_SCRIPT).digest('base64');
	const policy = FRAME_HEADERS['Content-Security-Policy'].split('; ');
	expect(policy).toContain(`script-src 'sha256-${hash}' blob: 'wasm-unsafe-eval'`);
	expect(policy).toContain("connect-src 'none'");
	expect(policy).toContain("default-src 'none'");
	// Opened by itself it has no origin either.
	expect(policy).toContain('sandbox allow-scripts');
	expect(policy).toContain("frame-ancestors 'self'");
});

test('the size of Python is as it is told before it is loaded', { timeout: 60_000 }, async () => {
	let bytes = 0;
	for (const name of ['pyodide.asm.wasm', 'pyodide.asm.mjs', 'python_stdlib.zip']) {
		const file = await readFile(`node_modules/pyodide/${name}`);
		const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
		bytes += name.endsWith('.zip') ? file.length : brotliCompressSync(file, { params }).length;
	}
	expect(bytes / 1e6).toBeGreaterThan(PYTHON_MB - 0.5);
	expect(bytes / 1e6).toBeLessThan(PYTHON_MB + 0.5);
});

test('blocks of JavaScript become one module, and a line of it is found in its block', () => {
	const { source, lines } = moduleOf([
		"import { format as f } from 'node:util';\nconst a = 1;",
		'const b = a;\n\nthrow b;',
	]);
	expect(source).toBe(
		"$at(0);\nconst { format: f } = await $module('node:util');\nconst a = 1;\n$at(1);\nconst b = a;\n\nthrow b;\n",
	);
	const line = source.split('\n').indexOf('throw b;') + 1;
	expect(placeOf(line, lines)).toEqual({ block: 1, line: 3 });
	expect(placeOf(2, lines)).toEqual({ block: 0, line: 1 });
});

test('what is printed is sent block by block, and ends at the limit', () => {
	const sent: Report[] = [];
	const outlet = new Outlet((report) => sent.push(report));
	outlet.write('a');
	outlet.begin(1);
	outlet.write('x'.repeat(LIMITS.output - 1));
	outlet.write('yz');
	outlet.write('more');
	outlet.begin(2);
	outlet.write('end');
	outlet.flush();
	const printed = (wanted: number) =>
		sent.map((one) => (one.kind === 'printed' && one.block === wanted ? one.text : '')).join('');
	expect(printed(0)).toBe('a');
	expect(printed(1)).toBe(`${'x'.repeat(LIMITS.output - 1)}y`);
	expect(sent.filter(({ kind }) => kind === 'flood')).toEqual([{ kind: 'flood', block: 1 }]);
	expect(printed(2)).toBe('end');
});

test('the difference of two outputs is told line by line', () => {
	expect(outputOf('a\nb\n')).toBe('a\nb');
	expect(compareLines('a\nb\nc', 'a\nB\nc')).toEqual([
		{ text: 'a', kind: 'both' },
		{ text: 'b', kind: 'printed' },
		{ text: 'B', kind: 'run' },
		{ text: 'c', kind: 'both' },
	]);
	expect(compareLines('a', 'a\nb').map(({ kind }) => kind)).toEqual(['both', 'run']);
});

test('Python says in a sentence what a program cannot do here', { timeout: 120_000 }, async () => {
	const python = await loadPyodide();
	for (const set of [python.setStdout, python.setStderr])
		set.call(python, { write: ({ length }: Uint8Array) => length });
	python.setStdin({ error: true });
	const ended = (program: string) => {
		try {
			python.runPython(program, { filename: 'block 1' });
		} catch (error) {
			return endOf(error as Error);
		}
		return undefined;
	};
	const meant = (program: string) => {
		const end = ended(program);
		return end?.kind === 'failed' ? end.message.split('\n').at(-1) : end;
	};
	const library =
		"Only Python's standard library is here, without what needs processes, windows or a terminal.";
	expect(meant('input("Name? ")')).toBe('Nobody can type here: a program gets no input.');
	expect(meant('import sys\nsys.stdin.read()')).toContain('no input');
	expect(meant('await x')).toBe('As in a file, await stands only inside an async function.');
	expect(meant('import asyncio\nasync def f(): pass\nasyncio.run(f())')).toContain('no event loop');
	for (const name of ['numpy', 'nothing_of_this_name', 'tkinter', '_multiprocessing'])
		expect(meant(`def f():\n\timport ${name}\nf()`), name).toBe(library);
	expect(ended('import numpy')).toEqual({
		kind: 'failed',
		message: `Traceback:\n  File "block 1", line 1, in <module>\n    import numpy\nModuleNotFoundError: No module named 'numpy'\n${library}`,
	});
	expect(meant('import threading\nthreading.Thread(target=print).start()')).toContain('one thread');
	expect(meant('import subprocess\nsubprocess.run(["ls"])')).toContain('start no other one');
	expect(meant('import os\nos.fork()')).toContain('start no other one');
	expect(meant('import urllib.request\nurllib.request.urlopen("https://a.example")')).toBe(
		'A program has no network here.',
	);
	expect(meant('open("data.csv")')).toBe(
		'A program has only the files here that it writes itself.',
	);
	// What a program says itself is left alone.
	expect(meant('raise ValueError("no")')).toBe('ValueError: no');
	expect(meant('raise KeyboardInterrupt')).toBe('KeyboardInterrupt');
	expect(meant('def f(): f()\nf()')).toBe('RecursionError: maximum recursion depth exceeded');
	const exited = (code: number, words = '') => ({ kind: 'exited', code, words });
	expect(ended('import sys\nsys.exit()')).toEqual(exited(0));
	expect(ended('import sys\nsys.exit(0)')).toEqual(exited(0));
	expect(ended('raise SystemExit(3)')).toEqual(exited(3));
	expect(ended('import sys\nsys.exit("No data: nothing to do.")')).toEqual(
		exited(1, 'No data: nothing to do.'),
	);
	expect(ended('import os\nos._exit(4)')).toEqual(exited(4));
});
