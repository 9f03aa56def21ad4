import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';
import { parseCsv } from '#src/lib/csv.ts';
import { COLUMN, type Cell, type Row } from './plot.ts';

/** Kinds of what a column holds: numbers, dates such as 2026-11 or 2026-11-24, or names. */
type ColumnKind = 'number' | 'date' | 'name';
export type Column = { name: string; kind: ColumnKind };

/** Reads a table as it is pasted from a spreadsheet, a CSV file or Markdown. Its first row names the columns. */
export function parseTable(text: string): Row[] {
	const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
	const isMarkdown =
		lines.length > 1 && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[1]!);
	if (!isMarkdown) return rowsOf(parseCsv(text).map(({ values }) => values));
	const cellsOf = (line: string) =>
		line
			.trim()
			.replace(/^\||(?<!\\)\|$/g, '')
			.split(/(?<!\\)\|/)
			.map((cell) => cell.replaceAll('\\|', '|'));
	return rowsOf([lines[0]!, ...lines.slice(2)].map(cellsOf));
}

/** Returns the rows of each table of an article, in order. */
export function tablesOf(tree: Root): Row[][] {
	const tables: Row[][] = [];
	visit(tree, 'element', (node) => {
		if (node.tagName === 'table') tables.push(rowsOf(linesOf(node)));
	});
	return tables;
}

function linesOf(table: Element): string[][] {
	const lines: string[][] = [];
	visit(table, 'element', (node) => {
		if (node.tagName !== 'tr') return;
		const cells = node.children.filter((child) => child.type === 'element');
		lines.push(cells.map((cell) => toString(cell)));
	});
	return lines;
}

function rowsOf([head = [], ...lines]: string[][]): Row[] {
	const names = namesOf(head.map((cell) => cell.trim()));
	return lines.map((line) =>
		Object.fromEntries(names.map((name, index) => [name, cellOf(line[index] ?? '')])),
	);
}

/** Returns names that a plot may use, each once. */
function namesOf(head: string[]): string[] {
	const taken = new Set<string>();
	return head.map((cell, index) => {
		const letters = [...cell].map((letter) => (COLUMN.test(letter) ? letter : ' ')).join('');
		const base = letters.replace(/\s+/g, ' ').trim().slice(0, 50) || `Column ${index + 1}`;
		let name = base;
		for (let number = 2; taken.has(name); number++) name = `${base} ${number}`;
		taken.add(name);
		return name;
	});
}

/** Returns the number that a cell says, with a thousands separator, a unit sign or a true minus, or its words. */
function cellOf(text: string): Cell {
	const words = text.trim();
	if (words === '' || /^(n\/?a|–|—|-)$/i.test(words)) return null;
	const plain = words
		.replace('−', '-')
		.replace(/^([-+]?)\$\s?/, '$1')
		.replace(/\s?%$/, '');
	const digits = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain;
	return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(digits) ? Number(digits) : words;
}

/** Returns the columns of a table with what they hold. */
export function columnsOf(rows: readonly Row[]): Column[] {
	return Object.keys(rows[0] ?? {}).map((name) => {
		const cells = rows.flatMap((row) => row[name] ?? []);
		if (cells.length > 0 && cells.every((cell) => typeof cell === 'number'))
			return { name, kind: 'number' };
		const isDate = (cell: Cell) => /^\d{4}-\d{2}(-\d{2})?$/.test(String(cell));
		return { name, kind: cells.length > 0 && cells.every(isDate) ? 'date' : 'name' };
	});
}
