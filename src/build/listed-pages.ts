/** Says which pages `@astrojs/sitemap` lists. */
import type { SitemapOptions } from '@astrojs/sitemap';
import type { AstroIntegration } from 'astro';
import type { Sitemap } from './sitemap.ts';

/** Returns the sitemap's parts. Its module is slow to load, and only a build needs it. */
async function partsOfBuild(pages: { pathname: string }[]): Promise<Sitemap['parts']> {
	return (await import('./sitemap.ts')).partsOfBuild(pages);
}

/**
 * Returns the options by which `@astrojs/sitemap` asks what to list, and the integration before it that knows the answers once
 * the pages are built.
 */
export function listedPages(readParts = partsOfBuild): {
	integration: AstroIntegration;
	options: SitemapOptions;
} {
	let parts: Sitemap['parts'] = [];
	let times = new Map<string, string | undefined>();
	return {
		integration: {
			name: 'listed-pages',
			hooks: {
				'astro:build:done': async ({ pages }) => {
					// Astro bundles without a page to render, and without a database.
					if (pages.length === 0) return;
					parts = await readParts(pages);
					times = new Map(
						parts.flatMap(([, part]) => part.map(({ url, lastmod }) => [url, lastmod])),
					);
				},
			},
		},
		options: {
			filter: (url) => times.has(url),
			serialize: (item) => ({ ...item, lastmod: times.get(item.url) ?? '' }),
			// Asked for when all pages are built. What is in no chunk is in that of pages.
			get chunks() {
				return Object.fromEntries(
					parts.slice(0, -1).map(([name, part]) => {
						const urls = new Set(part.map(({ url }) => url));
						return [name, (item: { url: string }) => (urls.has(item.url) ? item : undefined)];
					}),
				);
			},
		},
	};
}
