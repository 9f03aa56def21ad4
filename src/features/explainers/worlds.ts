/** How g came about: before the treatment, between it and the outcome, or after both. */
export type WorldName = 'before' | 'between' | 'after';
/** How strongly g hangs together with the rest (1 as in the article), and what the treatment does by itself. */
export type World = { name: WorldName; strength: number; effect: number };
/** Differences between treated and untreated, as shares. */
export type Differences = {
	pooled: number;
	/** Among those with g and among those without. */
	split: readonly [number, number];
	/** The two, weighted by the size of their groups. */
	adjusted: number;
	true: number;
};
/** The share of all people for whom g, t and the outcome are so. */
type Cell = { g: boolean; t: boolean; ok: boolean; share: number };

/** The article's values at a strength of 1; the direct effect of each world's treatment. */
export const EFFECTS: Readonly<Record<WorldName, number>> = {
	before: 0.05,
	between: -0.03,
	after: 0,
};
const both = [true, false];

/** Returns the exact differences, without drawing anyone. */
export function differences(world: World): Differences {
	const cells = cellsOf(world);
	const split = both.map((g) => difference(cells.filter((cell) => cell.g === g)));
	const sizes = both.map((g) => sum(cells.filter((cell) => cell.g === g)));
	return {
		pooled: difference(cells),
		split: [split[0]!, split[1]!],
		adjusted: split[0]! * sizes[0]! + split[1]! * sizes[1]!,
		true: success(cellsOf(world, true)) - success(cellsOf(world, false)),
	};
}

/** Returns all eight cells; with the treatment forced on everyone, the others are empty. */
function cellsOf({ name, strength, effect }: World, forced?: boolean): Cell[] {
	const ofT = (t: boolean, chance: number) => chanceOf(t, forced === undefined ? chance : +forced);
	const share = {
		before: (g: boolean, t: boolean, ok: boolean) =>
			0.5 *
			ofT(t, 0.5 + (g ? 0.25 : -0.25) * strength) *
			chanceOf(ok, 0.75 + (g ? -0.1 : 0.1) + (t ? effect : 0)),
		between: (g: boolean, t: boolean, ok: boolean) =>
			ofT(t, 0.5) *
			chanceOf(g, 0.55 + (t ? 0.25 : -0.25) * strength) *
			chanceOf(ok, (g ? 0.85 : 0.6) + (t ? effect : 0)),
		after: (g: boolean, t: boolean, ok: boolean) =>
			ofT(t, 0.5) *
			chanceOf(ok, 0.7 + (t ? effect : 0)) *
			chanceOf(g, 0.1 + strength * ((t ? 0.3 : 0) + (ok ? 0 : 0.5))),
	}[name];
	return both.flatMap((g) =>
		both.flatMap((t) => both.map((ok) => ({ g, t, ok, share: share(g, t, ok) }))),
	);
}

const chanceOf = (is: boolean, chance: number) => (is ? chance : 1 - chance);
const sum = (cells: readonly Cell[]) => cells.reduce((total, { share }) => total + share, 0);
const success = (cells: readonly Cell[]) => sum(cells.filter(({ ok }) => ok)) / sum(cells);
const difference = (cells: readonly Cell[]) =>
	success(cells.filter(({ t }) => t)) - success(cells.filter(({ t }) => !t));
