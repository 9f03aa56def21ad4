/** Builds the site as a process of its own: `node build-site.ts <outDir> <cacheDir> [--force]`, database by DATABASE_URL. */
import { build } from 'astro';

const [outDir = '', cacheDir = '', force] = process.argv.slice(2);
await build({ outDir, cacheDir, force: force === '--force', logLevel: 'error' });
