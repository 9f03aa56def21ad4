import type { ComponentType } from 'react';

/** The explainers by the name that a figure has for them (`<figure data-explainer="…">`); each is loaded by itself. */
export const EXPLAINERS: ReadonlyMap<string, () => Promise<ComponentType>> = new Map([
	['tokenizer', () => import('./Tokenizer.tsx').then(({ Tokenizer }) => Tokenizer)],
	[
		'attention-weights',
		() => import('./AttentionWeights.tsx').then(({ AttentionWeights }) => AttentionWeights),
	],
	['sampler', () => import('./Sampler.tsx').then(({ Sampler }) => Sampler)],
	[
		'cosine-similarity',
		() => import('./CosineSimilarity.tsx').then(({ CosineSimilarity }) => CosineSimilarity),
	],
	[
		'gradient-descent',
		() => import('./GradientDescent.tsx').then(({ GradientDescent }) => GradientDescent),
	],
	[
		'precision-recall',
		() => import('./PrecisionRecall.tsx').then(({ PrecisionRecall }) => PrecisionRecall),
	],
	[
		'validation-budget',
		() => import('./ValidationBudget.tsx').then(({ ValidationBudget }) => ValidationBudget),
	],
	['queue-load', () => import('./QueueLoad.tsx').then(({ QueueLoad }) => QueueLoad)],
	[
		'simpson-worlds',
		() => import('./SimpsonWorlds.tsx').then(({ SimpsonWorlds }) => SimpsonWorlds),
	],
	['kalman-knobs', () => import('./KalmanKnobs.tsx').then(({ KalmanKnobs }) => KalmanKnobs)],
]);
