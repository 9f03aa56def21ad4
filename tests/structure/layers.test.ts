import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { LAYERS } from './layers.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Folders whose own folders are rooms with walls: what is below must not loop either. */
const HOUSES = ['src/core', 'src/features', 'src/dashboard'];

type Import = { from: string; to: string };

const imports = await readImports();

test('every file belongs to a layer, and imports only layers below its own', () => {
	const climbs = imports.filter(({ from, to }) => {
		const [layer, other] = [layerOf(from), layerOf(to)];
		return layer !== other && !LAYERS[layer]?.includes(other);
	});
	expect(climbs.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test('no folders import each other in a loop, by value, type or dynamic import', () => {
	expect(loopsOf(imports.map(({ from, to }) => [folderOf(from), folderOf(to)]))).toEqual([]);
});

test('no files import each other in a loop either', () => {
	expect(loopsOf(imports.map(({ from, to }) => [from, to]))).toEqual([]);
});

test('only its own page imports the dashboard', () => {
	const importers = imports.filter(
		({ from, to }) => layerOf(to) === 'src/dashboard' && layerOf(from) !== 'src/dashboard',
	);
	expect([...new Set(importers.map(({ from }) => from))]).toEqual(['src/pages/admin.astro']);
});

test('a loop is found, however long', () => {
	const pairs: [string, string][] = [
		['a', 'b'],
		['b', 'c'],
		['c', 'a'],
		['c', 'd'],
	];
	expect(loopsOf(pairs)).toEqual([['a', 'b', 'c']]);
	expect(loopsOf(pairs.slice(1))).toEqual([]);
});

/** Returns every import between files of ours, with paths from the root: static, of types, and dynamic. */
async function readImports(): Promise<Import[]> {
	const found: Import[] = [];
	for await (const from of glob('{src,functions,db}/**/*.{ts,tsx,astro,mjs}', { cwd: ROOT })) {
		if (/\.test\.tsx?$/.test(from)) continue;
		for (const specifier of specifiersOf(from, readFileSync(join(ROOT, from), 'utf8'))) {
			if (specifier.startsWith('#')) found.push({ from, to: specifier.slice(1) });
			else if (specifier.startsWith('.')) found.push({ from, to: join(dirname(from), specifier) });
		}
	}
	return found;
}

function specifiersOf(file: string, text: string): string[] {
	const scripts = file.endsWith('.astro')
		? [...text.matchAll(/^---\n([\s\S]*?)^---$|<script[^>]*>([\s\S]*?)<\/script>/gm)].map(
				([, frontMatter, script]) => frontMatter ?? script ?? '',
			)
		: [text];
	return scripts.flatMap((script) =>
		ts.preProcessFile(script, true, true).importedFiles.map(({ fileName }) => fileName),
	);
}

function layerOf(path: string): string {
	const [top = '', second] = path.split('/');
	return top === 'src' ? `src/${second}` : top;
}

function folderOf(path: string): string {
	const layer = layerOf(path);
	const room = path.slice(layer.length + 1).split('/')[0]!;
	return HOUSES.includes(layer) ? `${layer}/${room}` : layer;
}

/** Returns the strongly connected components of more than one folder or file, by Tarjan's algorithm. */
function loopsOf(pairs: [string, string][]): string[][] {
	const targets = new Map<string, Set<string>>();
	for (const [from, to] of pairs) {
		if (from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to));
	}
	const order = new Map<string, number>();
	const low = new Map<string, number>();
	const stack: string[] = [];
	const loops: string[][] = [];
	const visit = (folder: string) => {
		order.set(folder, order.size);
		low.set(folder, order.get(folder)!);
		stack.push(folder);
		for (const target of targets.get(folder) ?? []) {
			if (!order.has(target)) visit(target);
			if (stack.includes(target)) {
				low.set(folder, Math.min(low.get(folder)!, low.get(target)!));
			}
		}
		if (low.get(folder) !== order.get(folder)) return;
		const loop = stack.splice(stack.indexOf(folder)).sort();
		if (loop.length > 1) loops.push(loop);
	};
	for (const folder of targets.keys()) if (!order.has(folder)) visit(folder);
	return loops;
}
