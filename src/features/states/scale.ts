/** Returns two to six round numbers from the least to the most of a scale; none where both are the same. */
export function roundMarks(least: number, most: number): number[] {
	const span = most - least;
	if (!(span > 0)) return [];
	const unit = 10 ** Math.floor(Math.log10(span / 5));
	const step = [1, 2, 5, 10].map((times) => times * unit).find((one) => span / one <= 5)!;
	const first = Math.ceil(least / step);
	const last = Math.floor(most / step);
	return Array.from({ length: last - first + 1 }, (_, at) =>
		Number(((first + at) * step).toPrecision(12)),
	);
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });

/** Returns a number of dollars in a few letters, as "$120K". */
export const shortPay = (value: number) => `$${compact.format(value)}`;

/** Returns a number in a few letters, as "12K" and "1.5". */
export const shortCount = (value: number) => compact.format(value);

/** Returns a change in percent, as "+6.7%". */
export const changeText = (percent: number, digits = 1) =>
	`${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(digits)}%`;
