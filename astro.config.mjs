import react from '@astrojs/react';
import sitemap from '@astrojs/sitemap';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, fontProviders } from 'astro/config';
import { getEnv } from './src/lib/env.ts';

const { SITE_URL, STYLEGUIDE } = getEnv();
const font = (family, cssVariable, fallbacks, files) => ({
	provider: fontProviders.local(),
	name: family,
	cssVariable,
	fallbacks,
	options: {
		variants: files.map(([path, style]) => ({
			src: [`./node_modules/@fontsource-variable/${path}-${style}.woff2`],
			weight: '200 800',
			style,
		})),
	},
});

export default defineConfig({
	site: SITE_URL,
	trailingSlash: 'never',
	build: { format: 'file' },
	prerenderConflictBehavior: 'error',
	devToolbar: { enabled: false },
	integrations: [
		react(),
		sitemap({
			filter: (page) => !/\/(admin|404[\w-]*|thanks\/[\w-]+|states|search|styleguide)$/.test(page),
		}),
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
			name: 'client-intent',
			hooks: {
				'astro:config:setup': ({ addClientDirective }) =>
					addClientDirective({ name: 'intent', entrypoint: './src/lib/client-intent.ts' }),
			},
		},
	],
	fonts: [
		font(
			'Bricolage Grotesque',
			'--font-heading',
			['sans-serif'],
			[['bricolage-grotesque/files/bricolage-grotesque-latin-wght', 'normal']],
		),
		font(
			'Source Serif 4',
			'--font-text',
			['serif'],
			[
				['source-serif-4/files/source-serif-4-latin-wght', 'normal'],
				['source-serif-4/files/source-serif-4-latin-wght', 'italic'],
			],
		),
		font(
			'Geist Mono',
			'--font-label',
			['monospace'],
			[['geist-mono/files/geist-mono-latin-wght', 'normal']],
		),
	],
	vite: { plugins: [tailwindcss()] },
	experimental: { incrementalBuild: true },
});
