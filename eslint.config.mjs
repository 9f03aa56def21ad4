// Boundaries between layers, and all that holds for .astro files too. What needs types is in .oxlintrc.json.
import astro from 'eslint-plugin-astro';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { LAYERS } from './tests/structure/layers.mjs';

const UI = ['\\.store\\.ts$', 'No browser state here.'];
const ISLANDS = ['\\.(tsx|astro)$', 'No components here.'];
const EVERYWHERE = [
	['^\\.\\./', 'Import across folders by #src/…, #db/…, #functions/… or #tests/….'],
	['^[.#](?!.*\\.\\w+(\\?url)?$)', 'Name the file with its ending.'],
	['^#src/pages/', 'Nobody imports a page.'],
];

/**
 * Import restrictions: patterns that `files` may not import, as [pattern of the specifier, message, type imports allowed].
 * A file belongs to the last boundary that names it: a later configuration of a rule replaces an earlier one.
 */
function boundary(name, files, forbidden) {
	const patterns = [...EVERYWHERE, ...forbidden].map(
		([regex, message, allowTypeImports = false]) => ({
			regex,
			message,
			allowTypeImports,
		}),
	);
	return {
		name: `boundary/${name}`,
		files,
		rules: { 'no-restricted-imports': ['error', { patterns }] },
	};
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
	['^#src/components/(?!ui/)', 'An island uses components/ui.'],
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
	boundary(`${layer}/pure`, [`${layer}/**/*.ts`], [...PURE, above(layer)]),
	boundary(`${layer}/server`, [`${layer}/**/*.server.ts`], [...SERVER, above(layer)]),
	boundary(`${layer}/store`, [`${layer}/**/*.store.ts`], [...BROWSER, ISLANDS, above(layer)]),
	boundary(
		`${layer}/island`,
		[`${layer}/**/*.tsx`, `${layer}/**/use[A-Z]*.ts`],
		[...BROWSER, above(layer)],
	),
];

const boundaries = [
	...['src/lib', 'src/components', 'db'].map((layer) =>
		boundary(layer, [`${layer}/**/*.{ts,tsx,astro}`], [above(layer)]),
	),
	boundary('src/site.ts', ['src/site.ts'], [above('src/site.ts')]),
	...['src/core', 'src/features', 'src/dashboard'].flatMap(rooms),
	boundary(
		'openapi',
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
		'src/features/island',
		['src/features/**/*.tsx', 'src/features/**/use[A-Z]*.ts'],
		[
			...BROWSER,
			above('src/features'),
			['^#src/features/.*\\.tsx$', "Islands share by store, not by each other's components."],
		],
	),
	...['src/pages', 'src/layouts'].map((layer) =>
		boundary(layer, [`${layer}/**/*.{ts,astro}`], [above(layer)]),
	),
	boundary(
		'src/features/page',
		['src/features/**/*.astro'],
		[['^#db/', 'A page asks *.server.ts.'], above('src/features')],
	),
	boundary(
		'functions',
		['functions/**/*.ts'],
		[
			['^#db/(?!(?:client|outage)\\.ts$)', 'A function asks *.server.ts.'],
			UI,
			ISLANDS,
			above('functions'),
		],
	),
	...['src/build', 'src/host', 'src/cli'].map((layer) =>
		boundary(layer, [`${layer}/**/*.{ts,mjs}`], [UI, ISLANDS, above(layer)]),
	),
	boundary('script', ['**/*.astro/*.{js,ts}'], [...BROWSER, above('src/features')]),
	// It asks for what its page shows.
	boundary(
		'script of the desk',
		['src/pages/admin.astro/*.{js,ts}'],
		[...BROWSER, above('src/pages')],
	),
	boundary('tests', ['**/*.test.{ts,tsx}', 'tests/**/*.{ts,tsx}'], []),
];

export default defineConfig(
	globalIgnores([
		'dist/',
		'.site/',
		'.astro/',
		'content/*',
		'!content/checks/',
		'public/',
		'db/migrations/',
		'test-results/',
		'screenshots/',
		'mail-preview/',
	]),
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	{ files: ['**/*.{ts,tsx}'], languageOptions: { parser: tseslint.parser } },
	astro.configs.recommended,
	{
		files: ['**/*.{ts,tsx,astro}'],
		plugins: { '@typescript-eslint': tseslint.plugin },
		rules: {
			// As `noInlineConfig` does it here.
			'no-warning-comments': ['error', { terms: ['oxlint-disable'], location: 'anywhere' }],
			'@typescript-eslint/ban-ts-comment': 'error',
			'@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ varsIgnorePattern: '^_', argsIgnorePattern: '^_' },
			],
		},
	},
	{
		files: ['src/**', 'functions/**', 'db/**'],
		ignores: [
			'src/lib/env.ts',
			'db/client.ts',
			'src/{build,host,cli}/**',
			// Netlify's own variable, not one of ours.
			'functions/lib/cache.ts',
			'**/*.test.{ts,tsx}',
		],
		rules: {
			'no-restricted-properties': [
				'error',
				{ object: 'process', property: 'env', message: 'Ask getEnv() of src/lib/env.ts.' },
			],
		},
	},
	{
		files: ['**/*.mjs'],
		languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
		rules: { 'no-undef': 'error', 'no-unused-vars': ['error', { caughtErrors: 'none' }] },
	},
	{
		files: ['src/{core,features,dashboard}/**/*.{store.ts,tsx}'],
		rules: {
			'no-restricted-syntax': [
				'error',
				{
					selector: 'ImportExpression[source.value=/\\.server\\.ts$|^#(db|functions)\\//]',
					message: 'This runs in the browser: call an endpoint of *.api.ts.',
				},
			],
		},
	},
	{
		files: ['tests/e2e/**/*.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				{
					selector: 'MemberExpression[property.name="waitForTimeout"]',
					message: 'A busy machine takes longer: wait for a state, or move the clock of the page.',
				},
			],
		},
	},
	...boundaries,
);
