import { arcs } from './arcs.ts';
import { arm } from './arm.ts';
import { balance } from './balance.ts';
import { breach } from './breach.ts';
import { convolution } from './convolution.ts';
import { descent } from './descent.ts';
import type { Family } from './family.ts';
import { lattice } from './lattice.ts';
import { needles } from './needles.ts';
import { pipeline } from './pipeline.ts';
import { scatter } from './scatter.ts';

const families: Record<string, Family> = {
	'machine-learning': descent,
	'natural-language-processing': arcs,
	'computer-vision': convolution,
	'data-science': scatter,
	'ai-ethics': balance,
	mlops: pipeline,
	'large-language-models': lattice,
	'ai-security': breach,
	robotics: arm,
};

/** The categories that have a family of their own. */
export const FAMILIES = Object.keys(families);

/** The family of a category; those without one of their own share the needles. */
export function familyOf(category: string): Family {
	return Object.hasOwn(families, category) ? families[category]! : needles;
}
