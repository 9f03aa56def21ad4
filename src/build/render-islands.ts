import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'astro';

const STRINGS = fileURLToPath(new URL('island-strings.ts', import.meta.url));

/**
 * Makes `@astrojs/react` render islands as strings, with the prefixes of their ids, which its own setting for that leaves out
 * (decision 102). Were it built differently, it would go on with streams.
 */
export function islandStrings(): NonNullable<ViteUserConfig['plugins']>[number] {
	return {
		name: 'island-strings',
		enforce: 'pre',
		resolveId: (id, importer) =>
			id === 'react-dom/server' && importer?.includes('/@astrojs/react/') ? STRINGS : null,
	};
}
