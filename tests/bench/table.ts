/** Prints rows as a Markdown table with aligned columns. */
export function printTable(header: string[], rows: string[][]): void {
	const widths = header.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => row[column]!.length)),
	);
	const line = (cells: string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
	console.log(
		['', line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
			'\n',
		),
	);
}
