/** Questions that the sample articles answer, for readers who do not know yet what can be asked. */
export const EXAMPLES: readonly string[] = [
	'How to choose chunk size for retrieval',
	'Is it safe to load a pickle file?',
	'Is my A/B test significant?',
	'What temperature should I use?',
];
