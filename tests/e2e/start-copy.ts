/** Starts a server on a copy of the first one's site, so that only what its settings change is made, if anything is. */
import { join } from 'node:path';
import { and, eq, notInArray } from 'drizzle-orm';
import { openDb } from '#db/local.ts';
import { posts } from '#db/schema.ts';
import { copyFreshSite, keepFreshSite, settingsOf } from './fresh-site.ts';

/** Articles of the copy in `npm test`, besides those that are featured: all of its pages are made anew, and those of articles are most of the work. */
const DAILY = [
	...['attention-in-plain-arithmetic', 'bm25-baseline', 'data-leakage'],
	...['kalman-filter-careful-averaging', 'two-link-arm-kinematics', 'pid-four-faults'],
];

const url = process.env['DATABASE_URL']!;
await keepFreshSite(`file:${join(process.env['E2E_FOLDER']!, 'site.db')}`);
await copyFreshSite(url);
if (process.env['TESTS'] === 'daily') {
	const db = await openDb(url);
	const other = and(eq(posts.featured, false), notInArray(posts.slug, DAILY));
	await db.update(posts).set({ published: false }).where(other);
	db.$client.close();
}
Object.assign(process.env, settingsOf());
await import('#src/cli/start.mjs');
