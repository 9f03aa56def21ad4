declare module 'subset-font' {
	type Axis = number | { min: number; max: number };
	export default function subsetFont(
		font: Buffer,
		text: string,
		options: {
			targetFormat: 'woff2' | 'truetype';
			variationAxes?: Record<string, Axis>;
			/** OpenType features to keep; all by default. */
			keepFeatures?: string[];
			noLayoutClosure?: boolean;
			noHinting?: boolean;
		},
	): Promise<Buffer>;
}
