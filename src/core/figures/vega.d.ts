import 'vega';

declare module 'vega' {
	/** Measures of words, which its types leave out. */
	export const textMetrics: {
		width: (item: { fontSize?: number; limit?: number; text?: string }, text?: string) => number;
	};
}
