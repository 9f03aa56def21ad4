import './src/build/astro-command.ts';
import react from '@astrojs/react';
import sitemap from '@astrojs/sitemap';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, fontProviders } from 'astro/config';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { listedPages } from './src/build/listed-pages.ts';
import { islandStrings } from './src/build/render-islands.ts';
import { wholeSite } from './src/build/whole-site.ts';
import { workerScripts } from './src/build/worker-scripts.ts';
import { EARLY_SCRIPT } from './src/components/early.ts';
import { PREFETCH_RULES } from './src/components/prefetch.ts';
import { analyticsSources } from './src/features/analytics/analytics.ts';
import { getEnv } from './src/lib/env.ts';
import { mathSubsets, textSubsets } from './src/styles/fonts.ts';

const { STYLEGUIDE, GA_MEASUREMENT_ID, SITE_URL } = getEnv();
const listed = listedPages();
const analytics = analyticsSources(GA_MEASUREMENT_ID);
/** A family whose files are subsets of @fontsource-variable's: [style, weights in use, the weight whose kerning all have]. */
const font = async (name, cssVariable, fallbacks, path, files) => ({
	provider: fontProviders.local(),
	name,
	cssVariable,
	fallbacks,
	options: {
		variants: await Promise.all(
			files.map(async ([style, weights, kerning]) =>
				(await textSubsets(`${path}-latin-wght-${style}.woff2`, weights, kerning)).map((file) => ({
					...file,
					weight: typeof weights === 'number' ? weights : `${weights.min} ${weights.max}`,
					style,
				})),
			),
		).then((faces) => faces.flat()),
	},
});
const hashOf = (script) => `sha256-${createHash('sha256').update(script).digest('base64')}`;

/**
 * Scripts by what needs them (all pages, forms and lists, islands, articles): not a request for each module. The script
 * of a page is in the group that it needs, so that the browser finds that in the page and not in another script. What
 * the first group does not need itself is in the second, which all that imports it needs anyway, but for `text`.
 */
const groups = [
	[
		'base',
		/vite\/preload-helper|node_modules\/nanostores\/(atom|clean-stores)\/|layouts\/Base\.astro\?astro|src\/(lib\/(after-paint|awake|composing|dates|later|objects|scroll|text)|components\/ui\/theme|features\/(analytics\/track|errors\/report|newsletter\/subscribed(\.store|-cookie)|promotion\/overlays(\.store)?))\.ts/,
	],
	[
		'schemas',
		/node_modules\/(zod|nanostores|@nanostores\/persistent)\/|reader\/Reader\.astro\?astro&type=script&index=0|src\/(site|lib\/(email|endpoint|errors|form|stored)|components\/ui\/toast\.store)\.ts/,
	],
	[
		'react',
		/node_modules\/(react|react-dom|scheduler|@nanostores\/react)\/|src\/(components\/ui\/(Button|ErrorBoundary)\.tsx|lib\/(controls|hydration)\.ts)/,
	],
	[
		'reader',
		/reader\/Reader\.astro\?astro&type=script&index=1|src\/features\/((offline|reader|share)\/(?!export|cite)[\w.]+|posts\/(freshness|later|reading-aids)|promotion\/likes|runs\/(block|controls))\.ts$/,
	],
].map(([name, test]) => ({ name, test }));

/** Returns whether the desk alone uses a module, by looking at what imports it. */
function isOfDesk(id, graph, seen = new Set()) {
	if (/src\/(dashboard\/|pages\/admin\.astro)/.test(id) || seen.has(id)) return true;
	seen.add(id);
	const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(id) ?? {};
	const users = [...importers, ...dynamicImporters];
	return users.length > 0 && users.every((user) => isOfDesk(user, graph, seen));
}

/** Screens of the desk share three files, not forty. Modules that other pages use as well stay where they are. */
const deskGroups = [
	{ name: 'door', test: /pages\/admin\.astro\?astro&type=script|dashboard\/shell\/screens\.ts/ },
	{ name: 'kit', test: /src\/dashboard\/(kit|shell)\//, minShareCount: 2 },
	{
		name: (id, graph) => (isOfDesk(id, graph) ? 'desk' : null),
		test: /src\/(core\/(session|builds|undo|outbox)|features\/[\w-]+|components\/ui|lib)\/[\w.-]+$|node_modules\/(diff|punycode)\//,
		minShareCount: 2,
	},
].map((group) => ({ ...group, includeDependenciesRecursively: false }));

/** Lets what imports a script get at modules that are in it: without that, groups would take all that their modules import. */
const openEntries = {
	name: 'open-entries',
	applyToEnvironment: ({ name }) => name === 'client',
	options: (options) => ({ ...options, preserveEntrySignatures: 'allow-extension' }),
};

export default defineConfig({
	site: SITE_URL,
	trailingSlash: 'never',
	// A page waits for the disk longer than it renders: others go on meanwhile.
	build: { format: 'file', concurrency: 16 },
	prerenderConflictBehavior: 'error',
	devToolbar: { enabled: false },
	integrations: [
		react(),
		listed.integration,
		sitemap(listed.options),
		wholeSite(),
		{
			name: 'styleguide',
			hooks: {
				'astro:config:setup': ({ command, injectRoute }) => {
					if (command !== 'dev' && !STYLEGUIDE) return;
					injectRoute({
						pattern: '/styleguide',
						entrypoint: './src/pages/_styleguide/Styleguide.astro',
					});
				},
			},
		},
		{
			name: 'client-directives',
			hooks: {
				'astro:config:setup': ({ addClientDirective }) => {
					addClientDirective({ name: 'intent', entrypoint: './src/lib/client-intent.ts' });
					addClientDirective({ name: 'use', entrypoint: './src/lib/client-use.ts' });
				},
			},
		},
	],
	fonts: await Promise.all([
		font(
			'Bricolage Grotesque',
			'--font-heading',
			['sans-serif'],
			'bricolage-grotesque/files/bricolage-grotesque',
			[['normal', { min: 400, max: 700 }, 650]],
		),
		font('Source Serif 4', '--font-text', ['serif'], 'source-serif-4/files/source-serif-4', [
			['normal', { min: 400, max: 700 }, 400],
			['italic', 400],
		]),
		font('Geist Mono', '--font-label', ['monospace'], 'geist-mono/files/geist-mono', [
			['normal', 400],
		]),
		// For formulas only: stretched brackets and roots need a font that knows of them. Upright words are the text's own.
		{
			provider: fontProviders.local(),
			name: 'STIX Two Math',
			cssVariable: '--font-math',
			fallbacks: [],
			optimizedFallbacks: false,
			options: {
				variants: (
					await mathSubsets('stix-two-math/files/stix-two-math-latin-400-normal.woff2')
				).map((file) => ({ ...file, weight: 400, style: 'normal' })),
			},
		},
	]),
	// The other half of the policy, which a meta element cannot carry, is a header in netlify.toml.
	security: {
		csp: {
			directives: [
				"default-src 'self'",
				`img-src 'self' data:${analytics.images}`,
				...analytics.connections,
				"object-src 'none'",
				"base-uri 'self'",
				"form-action 'self'",
			],
			scriptDirective: {
				resources: ["'self'", ...analytics.scripts],
				hashes: [EARLY_SCRIPT, PREFETCH_RULES].map(hashOf),
			},
			styleDirective: {
				resources: ["'self'", { resource: "'unsafe-inline'", kind: 'attribute' }],
			},
		},
	},
	vite: {
		plugins: [tailwindcss(), workerScripts(), islandStrings(), openEntries],
		resolve: {
			alias: {
				// In browsers it asks the document, which the worker that reads imported Markdown has not.
				'decode-named-character-reference': fileURLToPath(
					import.meta.resolve('decode-named-character-reference'),
				),
			},
		},
		environments: {
			client: {
				build: {
					rolldownOptions: { output: { codeSplitting: { groups: [...groups, ...deskGroups] } } },
				},
			},
		},
	},
});
