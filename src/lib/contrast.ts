/** Returns the contrast of two colors (`#rrggbb`) by the formula of WCAG 2: from 1 to 21. */
export function contrast(one: string, other: string): number {
	const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [
		number,
		number,
	];
	return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
	const [red, green, blue] = [1, 3, 5].map((at) => {
		const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
		return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	}) as [number, number, number];
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
