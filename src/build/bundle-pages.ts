/** Bundles the pages and keeps their renderer, in a process of its own. Renders none, so it needs no database. */
import { rm } from 'node:fs/promises';
import { setEnv } from '#src/lib/env.ts';
import { saveRenderer } from './astro-internals.ts';
import { runAstro, useBundle } from './bundles.ts';

process.on('disconnect', () => process.exit(1));
const { renderer } = await useBundle();
// All sites of this machine share the bundle, whatever their addresses are.
process.env['SITE_URL'] = 'https://site.example';
setEnv();
const workDir = `${renderer}.${process.pid}.work`;
try {
	await runAstro(`${workDir}/site`, `${workDir}/cache`, saveRenderer(renderer));
} finally {
	await rm(workDir, { recursive: true, force: true });
	process.disconnect();
}
