import { LAYERS } from './layers.mjs';

const UI = ['\\.store\\.ts$', 'No browser state here.'];
const ISLANDS = ['\\.(tsx|astro)$', 'No components here.'];
const EVERYWHERE = [
	['^\\.\\./', 'Import across folders by #src/…, #db/…, #functions/… or #tests/….'],
	['^[.#](?:.*/)?[^/.]*$', 'Name the file with its ending.'],
	['^#src/pages/', 'Nobody imports a page.'],
];

/**
 * Import restrictions: what `files` may not import, as [pattern of the specifier or several globs, message, type imports allowed].
 * A file belongs to the last boundary that names it: a later configuration of a rule replaces an earlier one.
 */
function boundary(files, forbidden) {
	const patterns = [...EVERYWHERE, ...forbidden].map(
		([pattern, message, allowTypeImports = false]) => ({
			...(Array.isArray(pattern) ? { group: pattern } : { regex: pattern }),
			message,
			allowTypeImports,
		}),
	);
	return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

/** Imports that a layer must not have, because they stand above it or beside it: [pattern, message]. */
function above(layer) {
	const others = Object.keys(LAYERS).filter(
		(other) => other !== layer && !LAYERS[layer].includes(other),
	);
	return [
		`^#(${[...others, 'tests', 'content', 'netlify'].join('|')})(/|$)`,
		`${layer} imports what stands below it: docs/architecture.md.`,
	];
}

const PURE = [
	['^#db/', 'A pure module knows no database; only its types.', true],
	['^#src/(components|styles)/', 'A pure module imports src/lib and pure modules.'],
	['\\.(api|server)\\.ts$', 'A pure module imports src/lib and pure modules.'],
	UI,
	ISLANDS,
];
const BROWSER = [
	['\\.server\\.ts$', 'This runs in the browser: call an endpoint of *.api.ts.'],
	['^#db/', 'This runs in the browser: call an endpoint of *.api.ts.'],
	['^node:', 'This runs in the browser.'],
	['^#src/components/[^/]+$', 'An island uses components/ui.'],
];
const SERVER = [
	['^#src/components/', 'The work does not know how it is shown.'],
	[
		'\\.api\\.ts$',
		'The work does not know how it is reached; only the types of its answers.',
		true,
	],
	UI,
	ISLANDS,
];

/** Boundaries of each kind of file in a layer, by the files' suffixes. */
const rooms = (layer) => [
	boundary([`${layer}/**/*.ts`], [...PURE, above(layer)]),
	boundary([`${layer}/**/*.server.ts`], [...SERVER, above(layer)]),
	boundary([`${layer}/**/*.store.ts`], [...BROWSER, ISLANDS, above(layer)]),
	boundary([`${layer}/**/*.tsx`, `${layer}/**/use[A-Z]*.ts`], [...BROWSER, above(layer)]),
];

/**
 * For oxlint, and where files end with `.astro` or `.mjs`, or are scripts of pages, for ESLint.
 * @type {import('oxlint').OxlintOverride[]}
 */
export const BOUNDARIES = [
	...['src/lib', 'src/components', 'db'].map((layer) =>
		boundary([`${layer}/**/*.{ts,tsx,astro}`], [above(layer)]),
	),
	boundary(['src/site.ts'], [above('src/site.ts')]),
	...['src/core', 'src/features', 'src/dashboard'].flatMap(rooms),
	// They load a component when it is asked for.
	...['src/features/explainers/explainers.ts', 'src/dashboard/shell/screens.ts'].map((file) =>
		boundary(
			[file],
			[...PURE.filter((rule) => rule !== ISLANDS), above(file.split('/', 2).join('/'))],
		),
	),
	boundary(
		['src/features/openapi/*.ts'],
		[
			['^#(db|src/components)/', 'A description knows endpoints and rules.'],
			['\\.server\\.ts$', 'A description knows endpoints and rules.'],
			UI,
			ISLANDS,
			above('src/features'),
		],
	),
	boundary(
		['src/features/**/*.tsx', 'src/features/**/use[A-Z]*.ts'],
		[
			...BROWSER,
			above('src/features'),
			['^#src/features/.*\\.tsx$', "Islands share by store, not by each other's components."],
		],
	),
	...['src/pages', 'src/layouts'].map((layer) =>
		boundary([`${layer}/**/*.{ts,astro}`], [above(layer)]),
	),
	boundary(
		['src/features/**/*.astro'],
		[['^#db/', 'A page asks *.server.ts.'], above('src/features')],
	),
	boundary(
		['functions/**/*.ts'],
		[
			[['#db/**', '!#db/{client,outage}.ts'], 'A function asks *.server.ts.'],
			UI,
			ISLANDS,
			above('functions'),
		],
	),
	...['src/build', 'src/host', 'src/cli'].map((layer) =>
		boundary([`${layer}/**/*.{ts,mjs}`], [UI, ISLANDS, above(layer)]),
	),
	boundary(['**/*.astro/*.{js,ts}'], [...BROWSER, above('src/features')]),
	// It asks for what its page shows.
	boundary(['src/pages/admin.astro/*.{js,ts}'], [...BROWSER, above('src/pages')]),
	boundary(['**/*.test.{ts,tsx}', 'tests/**/*.{ts,tsx}'], []),
];

/**
 * Options of `no-restricted-properties`; below, of `no-unused-vars`.
 * @type {['error', { object: string; property: string; message: string }]}
 */
export const ENVIRONMENT = [
	'error',
	{ object: 'process', property: 'env', message: 'Ask getEnv() of src/lib/env.ts.' },
];
export const UNUSED = { varsIgnorePattern: '^_', argsIgnorePattern: '^_' };
