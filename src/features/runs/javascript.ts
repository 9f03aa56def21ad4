/**
 * Returns the blocks of a program as one module, and the line on which each begins. `$at(block)` is called before each;
 * what it imports of Node's modules it gets from `await $module(name)`.
 */
export function moduleOf(sources: readonly string[]): { source: string; lines: number[] } {
	let source = '';
	const lines: number[] = [];
	sources.forEach((block, index) => {
		source += `$at(${index});\n`;
		lines.push(source.split('\n').length);
		source += `${withoutImports(block)}\n`;
	});
	return { source, lines };
}

/** Only what is imported at the top of a line and by name: the module is not at an address. */
function withoutImports(source: string): string {
	return source.replace(
		/^import (\{[^}]*\}) from (['"])(node:[\w/]+)\2;?$/gm,
		(_, names: string, __, module: string) =>
			`const ${names.replaceAll(' as ', ': ')} = await $module('${module}');`,
	);
}

/** Returns the block of a line of the module, and the line within it. */
export function placeOf(line: number, lines: readonly number[]): { block: number; line: number } {
	const block = Math.max(
		0,
		lines.findLastIndex((first) => first <= line),
	);
	return { block, line: line - (lines[block] ?? 1) + 1 };
}
