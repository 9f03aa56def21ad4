import { randomOf } from '#src/features/covers/pen.ts';
import { alignment } from './alignment.ts';
import { arcs } from './arcs.ts';
import { arm } from './arm.ts';
import { avalanche } from './avalanche.ts';
import { balance } from './balance.ts';
import { beam } from './beam.ts';
import { boxes } from './boxes.ts';
import { breach } from './breach.ts';
import { convolution } from './convolution.ts';
import { crowd } from './crowd.ts';
import { descent } from './descent.ts';
import { dials } from './dials.ts';
import { drift } from './drift.ts';
import type { Composition } from './family.ts';
import { intervals } from './intervals.ts';
import { lattice } from './lattice.ts';
import { losses } from './losses.ts';
import { margin } from './margin.ts';
import { maze } from './maze.ts';
import { merges } from './merges.ts';
import { needles } from './needles.ts';
import { perspective } from './perspective.ts';
import { pipeline } from './pipeline.ts';
import { ridges } from './ridges.ts';
import { route } from './route.ts';
import { scan } from './scan.ts';
import { scatter } from './scatter.ts';
import { spans } from './spans.ts';
import { thresholds } from './thresholds.ts';

const families: Record<string, readonly Composition[]> = {
	'machine-learning': [descent, margin, losses],
	'natural-language-processing': [arcs, alignment, merges],
	'computer-vision': [convolution, boxes, perspective],
	'data-science': [scatter, ridges, intervals],
	'ai-ethics': [balance, thresholds, crowd],
	mlops: [pipeline, drift, spans],
	'large-language-models': [lattice, beam, dials],
	'ai-security': [breach, avalanche, maze],
	robotics: [arm, route, scan],
};

/** Compositions that mean the same from right to left: no axis, no time and no reading direction. */
const MIRRORED = new Set([
	...[descent, margin, convolution, boxes, perspective, balance, crowd, dials, pipeline],
	...[breach, avalanche, maze, arm, route, scan, arcs, needles],
]);
/** Those that mean the same upside down as well. */
const TURNED = new Set([descent, margin, crowd, breach, maze, needles]);

/** How a composition may be turned without saying something else. */
export const allowedSymmetries = (composition: Composition) => ({
	mirror: MIRRORED.has(composition),
	turn: TURNED.has(composition),
});

/** The categories that have a family of their own. */
export const FAMILIES = Object.keys(families);

/** The compositions of a category; those without a family of their own share the needles. */
export function compositionsOf(category: string): readonly Composition[] {
	return Object.hasOwn(families, category) ? families[category]! : [needles];
}

/** The composition of a slug in its category's family. */
export function compositionOf(category: string, slug: string): Composition {
	return randomOf(`${slug}/${category}`).pick(compositionsOf(category));
}
