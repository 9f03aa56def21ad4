import { build } from 'astro';
import { buildDb } from '#src/features/publishing/build.server.ts';
import { renderStalePosts } from '#src/features/publishing/renderings.server.ts';

// One build in a process of its own, which tells its peak memory: `build-once.ts <out> <cache> [root of the bare site]`.
const [outDir = '', cacheDir = '', bare] = process.argv.slice(2);
const shared = { outDir, cacheDir, logLevel: 'error' } as const;
if (bare) {
	await build({
		...shared,
		root: bare,
		configFile: false,
		trailingSlash: 'never',
		build: { format: 'file' },
		experimental: { incrementalBuild: true },
	});
} else {
	await renderStalePosts(await buildDb());
	await build(shared);
}
process.send!(process.resourceUsage().maxRSS, () => process.exit());
