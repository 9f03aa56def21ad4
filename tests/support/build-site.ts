/** Builds the site as a process of its own: `node build-site.ts <outDir> <cacheDir>`, database by DATABASE_URL. */
import { openDb } from '#db/local.ts';
import { buildPages } from '#src/build/build-pages.ts';
import { getEnv } from '#src/lib/env.ts';

const [outDir = '', cacheDir = ''] = process.argv.slice(2);
const db = await openDb(getEnv().DATABASE_URL);
await buildPages(db, { outDir, cacheDir, report() {}, hasTime: () => false });
db.$client.close();
