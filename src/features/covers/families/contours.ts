import type { Point } from '#src/features/covers/pen.ts';

/** Marching squares: the lines along which a grid has a level, in the grid's own units. */
export function contoursOf(
	grid: Float64Array,
	columns: number,
	level: number,
): { points: Point[]; closed: boolean }[] {
	const rows = grid.length / columns;
	// A crossing is named by its edge: twice its corner's index, one more for the edge that goes down.
	const links = new Map<number, number[]>();
	const link = (a: number, b: number) => {
		const [ofA, ofB] = [links.get(a), links.get(b)];
		if (ofA) ofA.push(b);
		else links.set(a, [b]);
		if (ofB) ofB.push(a);
		else links.set(b, [a]);
	};
	for (let row = 0; row < rows - 1; row++) {
		for (let column = 0; column < columns - 1; column++) {
			const i = row * columns + column;
			const a = grid[i]! > level;
			const b = grid[i + 1]! > level;
			const c = grid[i + columns + 1]! > level;
			const d = grid[i + columns]! > level;
			if (a === b && b === c && c === d) continue;
			const [top, left, right, bottom] = [2 * i, 2 * i + 1, 2 * i + 3, 2 * (i + columns)];
			if (a === c && b === d) {
				link(top, a ? right : left);
				link(bottom, a ? left : right);
				continue;
			}
			const crossed = [
				...(a !== b ? [top] : []),
				...(b !== c ? [right] : []),
				...(c !== d ? [bottom] : []),
				...(d !== a ? [left] : []),
			];
			link(crossed[0]!, crossed[1]!);
		}
	}
	const place = (edge: number): Point => {
		const i = edge >> 1;
		const down = edge & 1;
		const share = (level - grid[i]!) / (grid[down ? i + columns : i + 1]! - grid[i]!);
		return [(i % columns) + (down ? 0 : share), Math.floor(i / columns) + (down ? share : 0)];
	};
	const walk = (start: number) => {
		const points: Point[] = [];
		let edge: number | undefined = start;
		while (edge !== undefined) {
			const point = place(edge);
			const before = points.at(-1);
			// Crossings on both sides of a corner nearly coincide and would dent the curve.
			if (before && Math.abs(before[0] - point[0]) + Math.abs(before[1] - point[1]) < 0.45) {
				points[points.length - 1] = [(before[0] + point[0]) / 2, (before[1] + point[1]) / 2];
			} else points.push(point);
			const next: number[] = links.get(edge)!;
			links.delete(edge);
			edge = next.find((other) => links.has(other));
		}
		return points;
	};
	const found: { points: Point[]; closed: boolean }[] = [];
	const ends = [...links].filter(([, next]) => next.length === 1).map(([edge]) => edge);
	for (const edge of ends) if (links.has(edge)) found.push({ points: walk(edge), closed: false });
	for (const edge of [...links.keys()]) {
		if (links.has(edge)) found.push({ points: walk(edge), closed: true });
	}
	return found.filter(({ points }) => points.length > 4);
}
