import { build } from 'astro';
import { fileURLToPath } from 'node:url';
import { buildDb } from '#src/features/publishing/build.server.ts';
import { renderStalePosts } from '#src/features/publishing/renderings.server.ts';

// One build in a process of its own, which tells its peak memory: `build-once.ts <root> <out> <cache>`.
const [root = '', outDir = '', cacheDir = ''] = process.argv.slice(2);
const shared = { root, outDir, cacheDir, logLevel: 'error' } as const;
if (root === fileURLToPath(new URL('../../', import.meta.url))) {
	await renderStalePosts(await buildDb());
	await build(shared);
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
