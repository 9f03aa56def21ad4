/** Starts a server on a copy of the first one's site, so that only what its settings change is made, if anything is. */
import { join } from 'node:path';
import { copyFreshSite, keepFreshSite, settingsOf } from './fresh-site.ts';

if (!process.env['E2E_MADE']) {
	await keepFreshSite(`file:${join(process.env['E2E_FOLDER']!, 'site.db')}`);
	await copyFreshSite(process.env['DATABASE_URL']!);
}
Object.assign(process.env, settingsOf());
await import('#src/cli/start.mjs');
