// Other maps, densities, sizes and traps for the planners.
import { claim, programs } from './article.mjs';

const source = programs().replace(/^const uniform = generator\(5\);[^]*?(?=^const octile)/m, '');
const { plan, field, generator, none, straight, manhattan, shallowFirst, octile, moves } = new Function(
	'console',
	`${source.split('/** The largest excess')[0]}
	return { plan, field, generator, none, straight, manhattan, shallowFirst, octile, moves };`,
)({ log() {} });

/** Returns tasks on random maps whose goal can be reached. */
function maps(n, density, moves, count = density === 0 ? 1 : 20) {
	const found = [];
	for (let seed = 1; found.length < count; seed++) {
		const uniform = generator(seed);
		const grid = field(n, (x, y) => x + y > 3 && x + y < 2 * n - 5 && uniform() < density);
		const task = { grid, start: [0, 0], goal: [n - 1, n - 1], moves };
		if (plan({ ...task, h: none }).cost < Infinity) found.push(task);
	}
	return found;
}
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const cell = (values, digits = 1) =>
	[Math.min(...values), median(values), Math.max(...values)].map((v) => v.toFixed(digits)).join(' ').padStart(16);
const columnsOf = (rows) => rows[0].map((_, i) => rows.map((row) => row[i]));
const longer = (a, b) => 100 * (a.cost / b.cost - 1);

console.log('least, median and most of 20 maps; fewer: factor saved on the one before');
console.log('                    A*      weight 1.5                      tie the other');
console.log('n    walls       fewer           fewer     longer, %          way, more');
const scattered = {};
for (const [n, walls] of [[100, 0], [100, 0.1], [100, 0.2], [100, 0.3], [50, 0.3], [200, 0.3]]) {
	const rows = maps(n, walls).map((task) => {
		const run = (h, weight, order) => plan({ ...task, h, weight, order });
		const [dijkstra, star, some, greedy, shallow] = [run(none), run(manhattan), run(manhattan, 1.5), run(manhattan, 1e6), run(manhattan, 1, shallowFirst)];
		return [dijkstra.expanded / star.expanded, star.expanded / some.expanded, longer(some, star), shallow.expanded / star.expanded, longer(greedy, star)];
	});
	const columns = (scattered[`${n} ${walls}`] = columnsOf(rows));
	console.log(`${n}`.padEnd(5) + `${100 * walls}%`.padEnd(3) + columns.slice(0, 4).map((c) => cell(c)).join(''));
}

console.log('\ncells expanded on an empty map: side, goal, straight line, Manhattan, other way');
const empty = [[100, 99, 99], [200, 199, 199], [100, 99, 50], [100, 99, 10], [100, 99, 0]].map(([n, ...goal]) => {
	const task = { grid: field(n, () => false), start: [0, 0], goal };
	const runs = [[straight], [manhattan], [manhattan, shallowFirst], [manhattan, (a, b) => a.f < b.f]];
	const cells = runs.map(([h, order]) => plan({ ...task, h, order }).expanded);
	console.log(`${n}`.padStart(4) + goal.map((v) => `${v}`.padStart(5)).join('') + cells.slice(0, 3).map((c) => `${c}`.padStart(8)).join(''));
	return cells;
});

console.log('\ncells expanded in a trap: half-width, depth, Dijkstra, A*, weight 1.5, greedy');
const traps = [[20, 30], [10, 30], [5, 30], [3, 20], [20, 10], [30, 50]].map(([width, depth]) => {
	const grid = field(80, (x, y) => (x === 60 && Math.abs(y - 40) <= width) || (Math.abs(y - 40) === width && x >= 60 - depth && x <= 60));
	const cells = [0, 1, 1.5, 1e6].map((weight) => plan({ grid, start: [65 - depth, 40], goal: [70, 40], h: manhattan, weight }).expanded);
	console.log(`${width}`.padStart(4) + `${depth}`.padStart(4) + cells.map((c) => `${c}`.padStart(8)).join(''));
	return cells;
});

/** The trap of the article, a guess from its coarser map, and one from distances to the corners. */
const trap = field(60, (x, y) => (x === 45 && y >= 10 && y <= 50) || ((y === 10 || y === 50) && x >= 15 && x <= 45));
const into = { grid: trap, start: [20, 30], goal: [55, 30] };
const way = (grid, start, goal) => plan({ grid, start, goal, h: none }).cost;
const remembered = (guess, known = {}) => (cell) => (known[cell] ??= guess(cell));
function coarse(k) {
	const blocks = field(60 / k, (x, y) => trap.slice(y * k, y * k + k).some((row) => row.slice(x * k, x * k + k).includes('#')));
	const block = (cell) => cell.map((v) => Math.floor(v / k));
	return remembered((cell) => Math.min(1e4, k * way(blocks, block(cell), block(into.goal))));
}
const blocky = plan({ ...into, h: coarse(4) });
const corners = [[0, 0], [59, 0], [0, 59], [59, 59]];
const apart = corners.map((corner) => remembered((cell) => way(trap, cell, corner)));
const marked = plan({ ...into, h: (cell, goal) => Math.max(manhattan(cell, goal), ...apart.map((d) => Math.abs(d(cell) - d(goal)))) });

console.log('\ncells expanded from cells behind a trap: half-width, depth, A*, 1.5, 3, greedy');
for (const [width, depth, x] of [[20, 30, 5], [10, 20, 20], [10, 20, 5], [5, 20, 5]]) {
	const grid = field(80, (x, y) => (x === 60 && Math.abs(y - 40) <= width) || (Math.abs(y - 40) === width && x >= 60 - depth && x <= 60));
	const cells = [1, 1.5, 3, 1e6].map((weight) => plan({ grid, start: [x, 40], goal: [70, 40], h: manhattan, weight }).expanded);
	console.log([60 - depth - x, width, depth].map((v) => `${v}`.padStart(4)).join('') + cells.map((c) => `${c}`.padStart(8)).join(''));
}

console.log('\nManhattan with diagonals: longer than the shortest, %, and cells saved, times');
const diagonals = [[40, 0.1], [40, 0.2], [40, 0.3], [100, 0.2]].map(([n, walls]) => {
	const columns = columnsOf(maps(n, walls, moves).map((task) => {
		const [wrong, right] = [manhattan, octile].map((h) => plan({ ...task, h }));
		return [longer(wrong, right), right.expanded / wrong.expanded];
	}));
	console.log(`${n}`.padEnd(5) + `${100 * walls}%`.padEnd(3) + columns.map((c) => cell(c)).join(''));
	return columns;
});

/** The article's planner on cells with prices: it returns the path. */
const priced = new Function(
	'console',
	`${source
		.split('/** The largest excess')[0]
		.replace('g + Math.hypot(dx, dy)', 'g + (prices?.[next[1]][next[0]] ?? Math.hypot(dx, dy))')
		.replace('moves = STEPS, order', 'moves = STEPS, prices, order')
		.replace('g: cost, cell: next }', 'g: cost, cell: next, from: item }')
		.replace('expanded: closed.size };', 'expanded: closed.size, last: item };')}
	return plan;`,
)({ log() {} });
console.log('\nprices wrong by 10% each, true cost above the best, %; weight 1.1 above A*, %');
const noisy = [0.05, 0.5].map((spread) => {
	const columns = columnsOf(maps(60, 0.2).map((task, seed) => {
		const uniform = generator(seed + 1);
		const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
		const known = task.grid.map((row) => row.map(() => 1 + spread * uniform()));
		const real = known.map((row) => row.map((price) => price * Math.max(0.2, 1 + 0.1 * normal())));
		const costs = [1, 1.1].map((weight) => {
			let total = 0;
			for (let item = priced({ ...task, h: manhattan, prices: known, weight }).last; item.from; item = item.from) total += real[item.cell[1]][item.cell[0]];
			return total;
		});
		const best = priced({ ...task, h: none, prices: real }).cost;
		return [100 * (costs[0] / best - 1), 100 * (costs[1] / costs[0] - 1)];
	}));
	console.log(`1 to ${1 + spread}`.padEnd(10) + columns.map((c) => cell(c)).join(''));
	return columns;
});

/** Returns how many cells a search from both ends looks at that knows no guess and grows the smaller rim. */
function fromBothEnds(grid, start, goal) {
	const far = [start, goal].map((cell) => new Map([[`${cell}`, 0]]));
	const [rims, depth] = [[[start], [goal]], [0, 0]];
	let [looked, best] = [0, Infinity];
	while (depth[0] + depth[1] < best) {
		const side = rims[0].length <= rims[1].length ? 0 : 1;
		const next = [];
		depth[side]++;
		for (const [x, y] of rims[side]) {
			looked++;
			for (const cell of [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]]) {
				if ((grid[cell[1]]?.[cell[0]] ?? '#') === '#' || far[side].has(`${cell}`)) continue;
				far[side].set(`${cell}`, depth[side]);
				best = Math.min(best, depth[side] + (far[1 - side].get(`${cell}`) ?? Infinity));
				next.push(cell);
			}
		}
		rims[side] = next;
	}
	return { cost: best, looked };
}
const scattering = generator(5);
const printed = field(100, (x, y) => x + y > 3 && x + y < 195 && scattering() < 0.3);
const both = fromBothEnds(printed, [0, 0], [99, 99]);
claim('looked at 5,059 cells of the scattered map, where Dijkstra took 6,856', both.cost === 200 && both.looked === 5059);
const fence = { grid: field(20, (x, y) => x + y === 19), start: [0, 0], goal: [19, 19] };
claim('a wall along a diagonal stops nothing here', plan({ ...fence, h: octile, moves }).cost < 27 && plan({ ...fence, h: manhattan }).cost === Infinity);
const between = (values, low, high) => Math.min(...values) >= low && Math.max(...values) < high;
const [, times, percent, , greedy] = scattered['100 0.3'];
claim('On twenty such maps the factor runs from 1 to 9 with a median of 5, and the path is 0% to 11% longer', between(times, 0.95, 9) && between(percent, 0, 11.5) && Math.round(median(times)) === 5);
claim('that of the greedy search 7% to 37%', between(greedy, 6.5, 37.5));
claim('the tie-break was worth a factor of 50 and 100 from corner to corner', empty.slice(0, 2).every(([, star, shallow], i) => Math.round(shallow / star) === [50, 100][i]));
claim('and along a line nothing', empty[4][1] === empty[4][2]);
claim('toward a goal straight ahead it would be exact', empty[4][0] === empty[4][1]);
claim('took 4,514 cells with this heap', empty[0][3] === 4514);
const rounded = (a, b) => (Math.abs(a.f - b.f) > 1e-9 ? a.f < b.f : a.g > b.g);
const hall = [undefined, rounded].map((order) => plan({ grid: field(200, () => false), start: [0, 0], goal: [199, 100], h: octile, moves, order }).expanded);
claim('the planner above looks at 8,799 cells, and at 200 where what differs by less than $10^{-9}$ counts as equal', hall.join() === '8799,200');
const detours = maps(60, 0.2, moves, 40).filter((task, seed) => {
	const [uniform, known] = [generator(seed + 1), new Map()];
	const half = (cell, goal) => {
		if (!known.has(`${cell}`)) known.set(`${cell}`, uniform() < 0.5);
		return known.get(`${cell}`) ? octile(cell, goal) : 0;
	};
	return plan({ ...task, h: half }).cost > plan({ ...task, h: octile }).cost + 1e-9;
});
claim("on 40 of 40 maps this planner's path was longer than the shortest", detours.length === 40);
claim('here and at the median of the others, or fewer', diagonals.every(([, cells]) => median(cells) > 1.85));
claim('with a tenth of the cells walled the factor was 8 to 22, with three tenths mostly below 2', between(scattered['100 0.1'][3], 7.9, 22.5) && median(scattered['100 0.3'][3]) < 2);
claim('In six traps with the goal straight behind them, weights saved less than 5% of the cells from the mouth', traps.every(([, star, ...weighted]) => weighted.every((cells) => cells > 0.95 * star)));
claim('on eighty other maps it was 0% to 11% longer', diagonals.every(([l]) => between(l, 0, 11)));
claim('the noise itself cost 2% to 5% at the median of twenty maps, and a weight of 1.1 added half a percent or less', between(noisy.map(([own]) => median(own)), 1.5, 5.5) && noisy.every(([, more]) => median(more) < 0.75));
claim('it looked at 324 cells of this trap and returned a path of 97', blocky.expanded === 324 && blocky.cost === 97);
claim('with the four corners 1,102 cells', marked.expanded === 1102 && marked.cost === 89);
