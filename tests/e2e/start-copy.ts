/** Starts a server on a copy of the first one's site, so that only what its settings change is made. */
import { join } from 'node:path';
import { copyFreshSite, keepFreshSite } from './fresh-site.ts';

await keepFreshSite(`file:${join(process.env['E2E_FOLDER']!, 'site.db')}`);
Object.assign(process.env, await copyFreshSite(process.env['DATABASE_URL']!));
await import('#src/cli/start.mjs');
