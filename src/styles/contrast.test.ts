import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contrast } from '#src/lib/contrast.ts';

const DESK = ['shell/dashboard', 'editor/editor'].map((name) =>
	readFileSync(`src/dashboard/${name}.css`, 'utf8'),
);
const SHEET = [readFileSync('src/styles/global.css', 'utf8'), ...DESK].join('');
const SURFACES = ['paper', 'raised', 'sunken'];
const TEXTS = [
	'ink',
	'muted',
	'accent',
	'accent-strong',
	'danger',
	'danger-strong',
	'good',
	'wait',
];

/** Returns the two colors of a name, light and dark. */
function colorsOf(name: string): [string, string] {
	const [, light, dark] =
		new RegExp(`--color-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(SHEET) ?? [];
	return [light!, dark!];
}

const pairs = [
	...TEXTS.flatMap((text) => SURFACES.map((surface) => [text, surface, 4.5] as const)),
	['on-accent', 'accent', 4.5] as const,
	['on-accent', 'accent-strong', 4.5] as const,
	...SURFACES.map((surface) => ['edge', surface, 3] as const),
];

test.each(pairs)('%s on %s can be read in both themes', (text, surface, least) => {
	const [light, dark] = colorsOf(text);
	const [lightSurface, darkSurface] = colorsOf(surface);
	expect(contrast(light, lightSurface)).toBeGreaterThanOrEqual(least);
	expect(contrast(dark, darkSurface)).toBeGreaterThanOrEqual(least);
});

const code = [...SHEET.matchAll(/\tcolor: light-dark\((#\w{6}), (#\w{6})\)/g)];

test.each(code.map(([, light, dark]) => [light!, dark!]))(
	'%s and %s can be read where code stands',
	(light, dark) => {
		const [lightSurface, darkSurface] = colorsOf('sunken');
		expect(contrast(light, lightSurface)).toBeGreaterThanOrEqual(4.5);
		expect(contrast(dark, darkSurface)).toBeGreaterThanOrEqual(4.5);
	},
);

test('states of things have the same colors whatever the accent is', () => {
	const rules = DESK.flatMap((sheet) => sheet.match(/[^{}]*\{[^{}]*\}/g) ?? []);
	const ofStates = rules.filter((rule) => /\.(badge|timeline|checklist|save-status)\b/.test(rule));
	expect(ofStates.length).toBeGreaterThan(10);
	expect(ofStates.filter((rule) => rule.includes('accent'))).toEqual([]);
});
