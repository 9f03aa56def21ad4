import { build } from 'astro';
import { fileURLToPath } from 'node:url';
import { buildDb } from '#src/features/site/site-data.server.ts';
import { buildPages } from '#src/build/build-pages.ts';

// One build in a process of its own, which tells its peak memory: `build-once.ts <root> <out> <cache>`.
const [root = '', outDir = '', cacheDir = ''] = process.argv.slice(2);
const shared = { root, outDir, cacheDir, logLevel: 'error' } as const;
if (root === fileURLToPath(new URL('../../', import.meta.url))) {
	// Neither pictures nor a report: no other builder has them.
	await buildPages(await buildDb(), { outDir, cacheDir, report() {}, hasTime: () => false });
} else {
	await build({
		...shared,
		configFile: false,
		trailingSlash: 'never',
		build: { format: 'file' },
		experimental: { incrementalBuild: true },
	});
}
process.send!(process.resourceUsage().maxRSS, () => process.exit());
