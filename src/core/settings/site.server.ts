import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { requestTimeoutOf, type Db, type Statement } from '#db/client.ts';
import { media, settings } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { retryWhenOvertaken } from '#src/core/batches.server.ts';
import { siteBylines } from '#src/core/bylines.server.ts';
import { changesOf, statementsOf } from '#src/core/records/consequences.server.ts';
import { commit } from '#src/core/records/records.server.ts';
import { type Change, changeOfRows } from '#src/core/undo/undo.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import {
	completed,
	DEFAULT_SETTINGS,
	PAGES,
	provideSettings,
	type SiteSettings,
} from '#src/site.ts';
import type { LetterTimes } from '#src/texts.ts';
import { getSettings } from './settings.server.ts';
import { SITE_LABELS, siteForm, type StoredSite } from './site-form.ts';

/** The row of `settings` that holds them all, as one document. */
const KEY = 'site';

/** Returns the stored settings, with defaults for missing and unreadable ones. */
export async function getSite(db: Db): Promise<StoredSite> {
	const [row] = await db
		.select(tolerant({ value: settings.value }))
		.from(settings)
		.where(eq(settings.key, KEY));
	const stored = { ...(row?.value as Partial<StoredSite> | undefined) };
	const readable = Object.entries(siteForm.shape).flatMap(([key, schema]) => {
		const read = schema.safeParse(stored[key as keyof SiteSettings]);
		return read.success ? [[key, read.data]] : [];
	});
	const { version = 1 } = stored;
	return {
		version,
		...DEFAULT_SETTINGS,
		...(Object.fromEntries(readable) as Partial<SiteSettings>),
	};
}

type Changes = { [Key in keyof SiteSettings]?: SiteSettings[Key] | undefined };

/** Other changes in the batch of a save, which are undone with it. */
type Companion = { detail: string; changes: Change[]; statements: Statement[] };

/**
 * Saves changes; missing fields keep their values. Articles under the site's own byline get its new one. `along` is read
 * anew each time that another save came first.
 */
export function updateSite(
	db: Db,
	{ version, ...changes }: Changes & { version?: number | undefined },
	{ actor, now }: Actor,
	along: () => Promise<Companion> = async () => ({ detail: '', changes: [], statements: [] }),
): Promise<StoredSite & { undo: string | null }> {
	const token = crypto.randomUUID();
	return retryWhenOvertaken(async () => {
		const stored = await getSite(db);
		if (version !== undefined && version !== stored.version) {
			throw new AppError('conflict', 'The site was changed elsewhere since you opened it.', {
				stored,
			});
		}
		const { version: before, ...old } = stored;
		const given = Object.entries(changes).filter(([, value]) => value !== undefined);
		const next: SiteSettings = { ...old, ...(Object.fromEntries(given) as Partial<SiteSettings>) };
		const keys = (Object.keys(old) as (keyof SiteSettings)[]).filter(
			(key) => JSON.stringify(old[key]) !== JSON.stringify(next[key]),
		);
		const companion = await along();
		if (keys.length === 0 && companion.changes.length === 0) return { ...stored, undo: null };
		const event = {
			actor,
			action: 'changed the site' as const,
			subject: 'site settings',
			detail: [companion.detail, ...keys.map((key) => describe(key, old, next))]
				.filter(Boolean)
				.join('; ')
				.slice(0, 500),
		};
		const image = (form: SiteSettings) =>
			Object.fromEntries(keys.map((key) => [key, sql`json(${JSON.stringify(form[key])})`]));
		if (keys.includes('logo')) await refuseMissingPicture(db, next.logo);
		const byline = siteBylines(db, completed(old), completed(next));
		const saved = { version: before + 1, ...next };
		const own = changeOfRows('settings', { key: sql`${KEY}` }, image(old), image(next));
		const store = db
			.insert(settings)
			.values({ key: KEY, value: saved, updatedAt: now })
			.onConflictDoUpdate({ target: settings.key, set: { value: saved, updatedAt: now } });
		const isVersion = sql`coalesce((select value ->> '$.version' from settings where key = ${KEY}), 1) = ${before}`;
		const shown = PAGES.filter(({ path, isHidden }) => !isHidden && !path.includes(':'));
		const batch = {
			...{ token, event, conditions: [isVersion] },
			changes: [...changesOf(byline), ...companion.changes, own],
			statements: [...companion.statements, store, ...statementsOf(byline)],
			paths: shown.map(({ path }) => path),
			cause: `Changed the site: ${joinWithAnd(keys.map((key) => SITE_LABELS[key].toLowerCase()))}`,
		};
		await commit(db, batch, now);
		useSettings(db, saved, now);
		return { ...saved, undo: token };
	});
}

/** Refuses a path of the library where no image is. */
export async function refuseMissingPicture(db: Db, path: string, field = 'logo'): Promise<void> {
	const [, id] = /^\/api\/media\/(.+)$/.exec(path) ?? [];
	if (
		id === undefined ||
		(await db.$count(media, and(eq(media.id, id), isNull(media.deletedAt)))) > 0
	)
		return;
	throw invalid({ [field]: 'There is no such picture in the library.' });
}

/** Returns a change in words, for the log. */
function describe(key: keyof SiteSettings, old: SiteSettings, next: SiteSettings): string {
	const [from, to] = [old[key], next[key]];
	const isShort = typeof from === 'string' && typeof to === 'string' && key !== 'logo';
	const label = SITE_LABELS[key].toLowerCase();
	return isShort ? `${label}: “${from}” to “${to}”` : label;
}

/** How long a process goes by what it read: what another one saved shows after that. */
const FRESH_MS = 2 * SECOND;
let last: { db: Db; at: number } | undefined;

function useSettings(db: Db, settings: SiteSettings, now: Date, times?: LetterTimes): void {
	last = { db, at: now.getTime() };
	provideSettings(settings, times);
}

/** Sees to it that `site` is as stored. */
export async function readSiteSettings(db: Db): Promise<SiteSettings> {
	const [{ version: _, ...stored }, { letterCadence, letterDay }] = await Promise.all([
		getSite(db),
		getSettings(db),
	]);
	useSettings(db, stored, new Date(), { cadence: letterCadence, day: letterDay });
	return stored;
}

/** The part of the database's time that an answer waits for the settings. */
const PATIENCE = 1 / 20;

/**
 * As `readSiteSettings`, but reads at most every two seconds, and goes on with what it knows where the database fails or
 * is slow. `open` returns the database, or throws where there is none.
 */
export async function refreshSiteSettings(open: () => Db, now: Date): Promise<void> {
	let db: Db;
	try {
		db = open();
	} catch {
		// What needs no database works without one; what does fails with its own words.
		return;
	}
	const age = last?.db === db ? now.getTime() - last.at : Infinity;
	if (age >= 0 && age < FRESH_MS) return;
	last = { db, at: now.getTime() };
	const waited = new AbortController();
	const late = sleep(requestTimeoutOf(db) * PATIENCE, undefined, {
		signal: waited.signal,
		ref: false,
	}).catch(() => {});
	await Promise.race([readSiteSettings(db).catch(() => {}), late]);
	waited.abort();
}
