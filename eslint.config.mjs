// Rules for `.astro` files, scripts of pages and `.mjs` files. Oxlint reads all others: oxlint.config.ts.
import astro from 'eslint-plugin-astro';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { BOUNDARIES, ENVIRONMENT, UNUSED } from './tests/structure/boundaries.mjs';

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
	{ files: ['**/*.astro/*.ts'], languageOptions: { parser: tseslint.parser } },
	astro.configs.recommended,
	{
		files: ['**/*.astro', '**/*.astro/*.ts'],
		plugins: { '@typescript-eslint': tseslint.plugin },
		rules: {
			'@typescript-eslint/ban-ts-comment': 'error',
			'@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-unused-vars': ['error', UNUSED],
		},
	},
	{
		files: ['src/**/*.astro', 'src/**/*.astro/*.{js,ts}'],
		rules: { 'no-restricted-properties': ENVIRONMENT },
	},
	{
		files: ['**/*.mjs'],
		languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
		rules: { 'no-undef': 'error', 'no-unused-vars': ['error', { caughtErrors: 'none' }] },
	},
	...BOUNDARIES.flatMap(({ files, rules }) => {
		const others = files
			.map((file) => file.replace(/\{.*\b(astro|mjs)\}$/, '$1'))
			.filter((file) => /astro|mjs$/.test(file));
		return others.length === 0 ? [] : { files: others, rules };
	}),
);
