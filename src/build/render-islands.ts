import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'astro';

const REPLACED = new Map(
	[
		['react-dom/server', 'island-strings.ts'],
		['react-dom/client', '../lib/hydration.ts'],
	].map(([name, file]) => [name, fileURLToPath(new URL(file!, import.meta.url))]),
);

/**
 * Makes `@astrojs/react` render islands as strings, with the prefixes of their ids, which its own setting for that leaves out
 * (decision 102), and keep what a person did when it hydrates them (decision 108). Were it built differently, it would go on
 * with streams and with React's own hydration.
 */
export function islandStrings(): NonNullable<ViteUserConfig['plugins']>[number] {
	return {
		name: 'islands',
		enforce: 'pre',
		resolveId: (id, importer) => (importer?.includes('/@astrojs/react/') ? REPLACED.get(id) : null),
	};
}
