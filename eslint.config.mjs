// Boundaries between layers, and all that holds for .astro files too. What needs types is in .oxlintrc.json.
import astro from 'eslint-plugin-astro';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

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

/** Imports that each layer must not have, because they are above it: [pattern, message]. */
const ABOVE = {
	core: [
		'^#src/(features|components|dashboard|layouts|build|host|cli)/',
		'This stands above src/core.',
	],
	features: ['^#src/(dashboard|layouts|build|host|cli)/', 'This stands above src/features.'],
	dashboard: ['^#src/(layouts|build|host|cli)/', 'The dashboard runs in the browser.'],
};
const PURE = [
	['^#db/', 'A pure module knows no database; only its types.', true],
	[
		'^#(?!src/(lib|core|features|dashboard)/|src/site\\.ts$|db/)',
		'A pure module imports src/lib and pure modules.',
	],
	['\\.(api|server)\\.ts$', 'A pure module imports src/lib and pure modules.'],
	UI,
	ISLANDS,
];
const BROWSER = [
	['\\.server\\.ts$', 'This runs in the browser: call an endpoint of *.api.ts.'],
	['^#(db|functions|content|tests)/', 'This runs in the browser: call an endpoint of *.api.ts.'],
	['^node:', 'This runs in the browser.'],
	['^#src/(build|host|cli|layouts)/', 'An island knows neither server nor layouts.'],
	['^#src/components/(?!ui/)', 'An island uses components/ui.'],
];

const SERVER = [
	['^#(functions|tests)/', 'The work does not know how it is reached.'],
	['^#src/components/', 'The work does not know how it is shown.'],
	[
		'\\.api\\.ts$',
		'The work does not know how it is reached; only the types of its answers.',
		true,
	],
	UI,
	ISLANDS,
];

const boundaries = [
	boundary(
		'lib',
		['src/lib/**', 'src/site.ts'],
		[['^#(?!src/lib/)', 'src/lib imports nothing of ours outside itself.']],
	),
	boundary('pure', ['src/features/**/*.ts'], [...PURE, ABOVE.features]),
	boundary('core/pure', ['src/core/**/*.ts'], [...PURE, ABOVE.core]),
	boundary('dashboard/pure', ['src/dashboard/**/*.ts'], [...PURE, ABOVE.dashboard]),
	boundary(
		'openapi',
		['src/features/openapi/*.ts'],
		[
			['^#(?!src/(lib|core|features)/|src/site\\.ts$)', 'A description knows endpoints and rules.'],
			['\\.server\\.ts$', 'A description knows endpoints and rules.'],
			UI,
			ISLANDS,
		],
	),
	boundary('server', ['src/features/**/*.server.ts'], [...SERVER, ABOVE.features]),
	boundary('core/server', ['src/core/**/*.server.ts'], [...SERVER, ABOVE.core]),
	boundary('store', ['src/features/**/*.store.ts'], [...BROWSER, ISLANDS, ABOVE.features]),
	boundary('core/store', ['src/core/**/*.store.ts'], [...BROWSER, ISLANDS, ABOVE.core]),
	boundary('dashboard/store', ['src/dashboard/**/*.store.ts'], [...BROWSER, ISLANDS]),
	boundary(
		'island',
		['src/features/**/*.tsx', 'src/features/**/use[A-Z]*.ts'],
		[
			...BROWSER,
			ABOVE.features,
			['^#src/features/.*\\.tsx$', "Islands share by store, not by each other's components."],
		],
	),
	boundary('dashboard', ['src/dashboard/**/*.tsx', 'src/dashboard/**/use[A-Z]*.ts'], BROWSER),
	boundary(
		'components',
		['src/components/**/*.{ts,tsx,astro}'],
		[['^#(?!src/(lib|components|styles)/|src/site\\.ts$)', 'A component has no product words.']],
	),
	boundary(
		'pages',
		['src/{pages,layouts,features}/**/*.astro', 'src/{pages,layouts}/**/*.ts', 'src/*.config.ts'],
		[
			['^#(db|functions|tests)/', 'A page asks *.server.ts.'],
			['^#src/(build|host|cli)/', 'A page does not know who builds or serves it.'],
		],
	),
	boundary(
		'functions',
		['functions/**/*.ts'],
		[
			['^#db/(?!client\\.ts$)', 'A function asks *.server.ts.'],
			['^#(tests|content)/', 'A function carries neither.'],
			['^#src/(build|host|cli|dashboard|layouts|components)/', 'A function is HTTP only.'],
			UI,
			ISLANDS,
		],
	),
	boundary(
		'host',
		['src/{build,host,cli}/**/*.{ts,mjs}'],
		[['^#src/(layouts|components|dashboard)/', 'Pages are made by Astro alone.'], UI, ISLANDS],
	),
	boundary('db', ['db/**/*.ts'], [['^#(?!db/)', 'db/ imports nothing of ours outside itself.']]),
	boundary('script', ['**/*.astro/*.{js,ts}'], BROWSER),
	boundary('tests', ['**/*.test.{ts,tsx}', 'tests/**/*.{ts,tsx}'], []),
];

export default defineConfig(
	globalIgnores([
		'dist/',
		'.site/',
		'.astro/',
		'content/',
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
