import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ORDER = '@layer theme, base, components, utilities;';

test('whichever stylesheet a page loads first, it names the layers in their order', () => {
	const layered = globSync('src/**/*.css').filter((file) => {
		const css = readFileSync(file, 'utf8');
		return css.includes('@layer') && !css.startsWith("@import 'tailwindcss'");
	});
	expect(layered.length).toBeGreaterThan(0);
	for (const file of layered) {
		const css = readFileSync(file, 'utf8');
		expect(css.indexOf('@layer'), file).toBe(css.indexOf(ORDER));
	}
});
