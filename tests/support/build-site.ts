/**
 * Builds the site as a process of its own: `node build-site.ts <outDir> <cacheDir>`, with `astro` at the end if Astro is to
 * render the pages, database by DATABASE_URL.
 */
import { openDb } from '#db/local.ts';
import { buildPages } from '#src/build/build-pages.ts';
import { getEnv } from '#src/lib/env.ts';

const [outDir = '', cacheDir = '', by] = process.argv.slice(2);
const db = await openDb(getEnv().DATABASE_URL);
const isByAstro = by === 'astro';
await buildPages(db, { outDir, cacheDir, isByAstro, report() {}, hasTime: () => false });
db.$client.close();
