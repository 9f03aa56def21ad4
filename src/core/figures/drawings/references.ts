import { FigureError } from '#src/core/figures/figure-error.ts';
import { formatCount } from '#src/lib/text.ts';
import type { Shape } from './shape.ts';

/**
 * Work that showing an element costs beyond one, wherever it is used again: what needs a surface of its own costs more.
 */
const COSTS: Record<string, number> = { filter: 1_000, mask: 200, pattern: 20, 'clip-path': 5 };

const GRADIENT = ['linearGradient', 'radialGradient'];
/** Elements that an attribute may name. */
const TARGETS: Record<string, string[]> = {
	fill: [...GRADIENT, 'pattern'],
	stroke: [...GRADIENT, 'pattern'],
	'clip-path': ['clipPath'],
	mask: ['mask'],
	filter: ['filter'],
	'marker-start': ['marker'],
	'marker-mid': ['marker'],
	'marker-end': ['marker'],
};
/** Elements that a link may lead to, by the element that it stands in. */
const LINKED: Record<string, string[]> = {
	use: 'svg g symbol use path rect circle ellipse line polyline polygon text'.split(' '),
	textPath: ['path'],
	linearGradient: GRADIENT,
	radialGradient: GRADIENT,
	pattern: ['pattern'],
};

/**
 * Keeps references to elements of the drawing itself, under short ids, and drops all others. Throws a `FigureError` for a drawing
 * that refers to itself in a circle, or that costs more than `maxCost` to show.
 */
export function keepReferences(root: Shape, maxCost: number): void {
	const targets = new Map<string, Shape>();
	walk(root, (shape) => {
		const id = shape.attributes.get('id');
		if (id !== undefined && !targets.has(id)) targets.set(id, shape);
		else shape.attributes.delete('id');
	});
	walk(root, (shape) => dropStray(shape, targets));
	walk(root, (shape) => {
		shape.children = shape.children.filter((child) => !isUseless(child));
	});
	dropUnused(root);
	const cost = costOf(root, targets, new Map());
	if (cost > maxCost)
		throw new FigureError(
			`it shows more than ${formatCount(maxCost)} shapes, those counted that are used again`,
		);
	shorten(root);
}

const shapesOf = ({ children }: Shape) => children.filter((child) => typeof child !== 'string');

function walk(shape: Shape, visit: (shape: Shape) => void): void {
	visit(shape);
	for (const child of shapesOf(shape)) walk(child, visit);
}

/** Drops references that lead to nothing of the right kind. */
function dropStray(shape: Shape, targets: ReadonlyMap<string, Shape>): void {
	for (const [name, { id, instead }] of shape.references ?? []) {
		const target = targets.get(id);
		const kinds = name === 'href' ? LINKED[shape.name] : TARGETS[name];
		if (target && !target.isBroken && kinds?.includes(target.name)) continue;
		shape.references!.delete(name);
		if (instead) shape.attributes.set(name, instead);
	}
}

const isUseless = (child: Shape | string) =>
	typeof child !== 'string' && child.name === 'use' && !child.references?.has('href');

/** Drops definitions that nothing uses, which programs leave behind in numbers. */
function dropUnused(root: Shape): void {
	for (let isChanged = true; isChanged;) {
		isChanged = false;
		const used = usedIds(root);
		const isUsed = (shape: Shape): boolean =>
			used.has(shape.attributes.get('id') ?? '') || shapesOf(shape).some(isUsed);
		const sweep = (shape: Shape) => {
			const kept = shape.children.filter((child) => {
				if (typeof child === 'string') return true;
				return shape.name === 'defs'
					? isUsed(child)
					: child.name !== 'defs' || child.children.length > 0;
			});
			isChanged ||= kept.length < shape.children.length;
			shape.children = kept;
		};
		walk(root, sweep);
	}
}

function usedIds(root: Shape): Set<string> {
	const used = new Set<string>();
	walk(root, ({ references }) => {
		for (const { id } of references?.values() ?? []) used.add(id);
	});
	return used;
}

/** Returns the cost of showing a shape, with all that it uses. */
function costOf(
	shape: Shape,
	targets: ReadonlyMap<string, Shape>,
	known: Map<Shape, number | 'open'>,
): number {
	const before = known.get(shape);
	if (before === 'open') throw new FigureError('it refers to itself in a circle');
	if (before !== undefined) return before;
	known.set(shape, 'open');
	let cost = 1;
	for (const child of shapesOf(shape)) cost += costOf(child, targets, known);
	for (const [name, { id }] of shape.references ?? []) {
		const target = targets.get(id)!;
		const times = name.startsWith('marker-') ? pointsOf(shape) : 1;
		cost += (costOf(target, targets, known) + (COSTS[target.name] ?? COSTS[name] ?? 0)) * times;
	}
	known.set(shape, cost);
	return cost;
}

/** How many points an outline has, at most. */
const pointsOf = ({ attributes }: Shape) =>
	`${attributes.get('d') ?? ''} ${attributes.get('points') ?? ''} 0 0`.match(/[a-z]|[\d.]+/gi)!
		.length;

/** Gives what is used a short id, takes all other ids away, and writes references out. */
function shorten(root: Shape): void {
	const used = usedIds(root);
	const names = new Map<string, string>();
	walk(root, ({ attributes }) => {
		const id = attributes.get('id');
		if (id !== undefined && used.has(id)) names.set(id, `d${names.size + 1}`);
	});
	walk(root, ({ attributes, references }) => {
		const id = names.get(attributes.get('id') ?? '');
		attributes.delete('id');
		for (const [name, { id: target, instead }] of references ?? []) {
			const own = `#${names.get(target)}`;
			attributes.set(
				name,
				name === 'href' ? own : [`url(${own})`, instead].filter(Boolean).join(' '),
			);
		}
		if (id) attributes.set('id', id);
	});
}
