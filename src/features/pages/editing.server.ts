import { and, asc, eq, getTableColumns, not, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { pageRevisions, pages } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { abortUnless, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { moveFollowers, redirectTo } from '#src/core/former-slugs.server.ts';
import { imageOf, recordUndoable, type Change } from '#src/core/undo/undo.server.ts';
import { UNDO_DAYS } from '#src/core/retention.ts';
import { getVersion, listVersions, parseStored, storedValue } from '#src/core/versions.server.ts';
import { POST_LIMITS } from '#src/features/posts/editing.ts';
import { cleanContent } from '#src/features/posts/saving.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { cutSlug, slugify } from '#src/lib/slug.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import { isFreeSlug } from '#src/site.ts';
import type { PageRevision, SavedPage } from './editing.api.ts';
import {
	FIELD_NAMES,
	fieldsBetween,
	fieldsOf,
	formOf,
	lengthProblem,
	PAGE_FIELDS,
	type EditedPage,
	type PageField,
	type PageForm,
	type PageRow,
} from './editing.ts';
import { builtIn, pathOf } from './page.ts';

/** The admin, and the time. */
type Actor = { actor: string; now: Date };

const columns = getTableColumns(pages);
/** The columns that a save may change, besides the version. */
const SAVED = [...FIELD_NAMES, 'offer', 'updatedAt'] as const satisfies (keyof typeof columns)[];

type Stored = Omit<EditedPage, 'updatedAt' | 'offer' | 'path'> & {
	offer: Partial<PageForm>;
	updatedAt: Date;
};

/** Returns all pages as they are stored, by title, or the one with this slug. Those that cannot be shown are among them. */
async function readStored(db: Db, slug?: string): Promise<Stored[]> {
	const rows = await db
		.select(tolerant(pages))
		.from(pages)
		.where(slug === undefined ? undefined : eq(pages.slug, slug))
		.orderBy(asc(pages.title), asc(pages.slug));
	return rows.map((row) => ({ ...row, ...wellFormed(row) }));
}

/** Returns the fields of a row with lists where lists belong, whatever is stored. */
function wellFormed(row: Partial<Record<PageField, unknown>>): PageForm {
	const text = (value: unknown) => (typeof value === 'string' ? value : '');
	const list = <Item>(value: unknown) => (Array.isArray(value) ? (value as Item[]) : []);
	return {
		title: text(row.title),
		slug: text(row.slug),
		description: text(row.description),
		content: text(row.content),
		dated: text(row.dated),
		published: Boolean(row.published),
		footer: Boolean(row.footer),
		questions: list(row.questions),
		testimonials: list(row.testimonials),
	};
}

/** Returns a page as a newer file has it, or null if that says nothing else. */
function offerOf({ offer, ...page }: Stored): PageForm | null {
	if (Object.keys(offer).length === 0) return null;
	const offered = wellFormed({ ...page, ...offer });
	return fieldsBetween(page, offered).length > 0 ? offered : null;
}

function toEdited(page: Stored): EditedPage {
	return {
		...formOf(page),
		id: page.id,
		path: pathOf(page.slug),
		offer: offerOf(page),
		version: page.version,
		updatedAt: page.updatedAt.toISOString(),
	};
}

/** Returns what the list shows of all pages. */
export async function listEditedPages(db: Db): Promise<PageRow[]> {
	const rows = await readStored(db);
	return rows.map((page) => ({
		slug: page.slug,
		title: page.title,
		path: pathOf(page.slug),
		published: page.published,
		footer: page.footer,
		questions: page.questions.length,
		testimonials: page.testimonials.length,
		offered: offerOf(page) !== null,
		version: page.version,
		updatedAt: page.updatedAt.toISOString(),
	}));
}

/** Returns a page as the admin edits it, or null. */
export async function getEditedPage(db: Db, slug: string): Promise<EditedPage | null> {
	const [page] = await readStored(db, slug);
	return page ? toEdited(page) : null;
}

type Changes = { [Key in PageField]?: PageForm[Key] | undefined };

/**
 * Stores a new page. One of this title that nobody has written in yet is returned instead, where nothing but a title is
 * given: whoever makes it twice wants one.
 */
export function createPage(
	db: Db,
	{ title, slug: wanted, content = '', ...given }: Changes & { title: string },
	{ actor, now }: Actor,
): Promise<EditedPage> {
	return retryWhenOvertaken(async () => {
		const problem = lengthProblem(content, '');
		if (problem) refuse({ content: problem });
		const isBare =
			!wanted && !content && Object.values(given).every((value) => value === undefined);
		const unused = and(
			eq(pages.title, title),
			eq(pages.content, ''),
			eq(pages.version, 1),
			not(pages.published),
		)!;
		if (isBare) {
			const [made] = await db.select({ slug: pages.slug }).from(pages).where(unused);
			if (made) return (await getEditedPage(db, made.slug))!;
		}
		const id = crypto.randomUUID();
		const slug = await chooseSlug(db, id, wanted, title);
		const values = { ...given, id, title, slug, content: cleanContent({ content }) };
		const event = { actor, action: 'created', subject: `page ${id}`, detail: `“${title}”` };
		await db.batch([
			abortUnless(
				db,
				sql`${isBare ? 0 : 1} or not exists (select 1 from ${pages} where ${unused})`,
			),
			db.insert(pages).values({ ...values, createdAt: now, updatedAt: now }),
			auditStatement(db, event, now),
			...(given.published ? requestBuild(db, `Created “${title}”`, now, [pathOf(slug)]) : []),
		]);
		return (await getEditedPage(db, slug))!;
	});
}

function refuse(fields: Record<string, string>): never {
	throw new AppError('validation', MESSAGES.validation, { fields });
}

/** Returns the given slug, which must be free, or one that is made of the title. */
async function chooseSlug(
	db: Db,
	id: string,
	wanted: string | undefined,
	title: string,
): Promise<string> {
	const taken = async (slug: string) =>
		(await db.$count(pages, and(eq(pages.slug, slug), sql`${pages.id} <> ${id}`))) > 0;
	if (wanted) {
		if (!isFreeSlug(wanted)) refuse({ slug: 'Another part of the site has this address.' });
		if (await taken(wanted)) refuse({ slug: 'Another page has this address.' });
		return wanted;
	}
	const base = cutSlug(slugify(title), POST_LIMITS.slug - 4) || 'page';
	for (let number = 1; ; number++) {
		const slug = number === 1 ? base : `${base}-${number}`;
		if (isFreeSlug(slug) && !(await taken(slug))) return slug;
	}
}

const STALE = 'This was changed elsewhere since you opened it.';

type Update = Changes & { version?: number | undefined; settled?: boolean | undefined };

/** Saves changes; missing fields keep their values. Returns null if there is no such page. */
export async function updatePage(
	db: Db,
	slug: string,
	{ version, settled, ...changes }: Update,
	actor: Actor,
): Promise<SavedPage | null> {
	const token = crypto.randomUUID();
	const saved = await retryWhenOvertaken(async () => {
		const [before] = await readStored(db, slug);
		if (!before) return null;
		if (version !== undefined && version !== before.version) {
			throw new AppError('conflict', STALE, { stored: toEdited(before) });
		}
		const after = await complete(db, before, changes);
		if (settled) after.offer = {};
		const fields = fieldsBetween(before, after);
		const isSettled = settled === true && Object.keys(before.offer).length > 0;
		if (fields.length > 0) after.updatedAt = actor.now;
		if (fields.length > 0 || isSettled) await savePage(db, token, before, after, actor);
		return { slug: after.slug, undo: fields.length > 0 || isSettled ? token : null };
	});
	return saved && { ...(await getEditedPage(db, saved.slug))!, undo: saved.undo };
}

/** Returns a page with the changes of a form, which may only be of what can be edited. */
async function complete(db: Db, before: Stored, changes: Changes): Promise<Stored> {
	const given = Object.fromEntries(
		Object.entries(changes).filter(([, value]) => value !== undefined),
	) as Partial<PageForm>;
	const after: Stored = { ...before, ...given };
	const editable = fieldsOf(before.slug);
	const fixed = fieldsBetween(before, after).filter((name) => !editable.includes(name));
	if (fixed.length > 0) {
		refuse(Object.fromEntries(fixed.map((name) => [name, 'This belongs to the program.'])));
	}
	if (after.content !== before.content) {
		const problem = lengthProblem(after.content, before.content);
		if (problem) refuse({ content: problem });
		after.content = cleanContent(after);
	}
	if (after.slug !== before.slug) {
		after.slug = await chooseSlug(db, before.id, after.slug, after.title);
	}
	return after;
}

/** Stores a page in place of what was read of it, with what takes that back. A trigger keeps the earlier version. */
async function savePage(
	db: Db,
	token: string,
	before: Stored,
	after: Stored,
	{ actor, now }: Actor,
): Promise<void> {
	const changed = SAVED.filter((name) => storedValue(before[name]) !== storedValue(after[name]));
	const fields = fieldsBetween(before, after).map((name) => PAGE_FIELDS[name].toLowerCase());
	const isRead = (page: Stored) => page.published || builtIn(page.slug) !== undefined;
	const isPublic = fields.length > 0 && (isRead(before) || isRead(after));
	const redirect =
		before.slug === after.slug || !before.published
			? undefined
			: redirectTo(db, 'page', before.slug, before.id, now);
	const event = {
		actor,
		action: fields.length > 0 ? 'changed' : 'kept',
		subject: `page ${before.id}`,
		detail: `“${before.title}”: ${joinWithAnd(fields) || 'the newer file was left'}`,
	};
	const image = (page: Stored) =>
		Object.fromEntries(changed.map((name) => [columns[name].name, storedValue(page[name])]));
	const images = { key: { id: before.id }, before: image(before), after: image(after) };
	const own: Change = { table: 'pages', images: sql`select ${JSON.stringify(images)} as image` };
	const set = changed.map(
		(name) => sql`${sql.identifier(columns[name].name)} = ${storedValue(after[name])}`,
	);
	await db.batch([
		abortUnless(db, isVersion(before)),
		...recordUndoable(
			db,
			{
				token,
				event,
				changes: [...(redirect ? [redirect.change] : []), own],
				builds: isPublic,
			},
			now,
		),
		db.run(sql`update pages set ${sql.join([sql`version = version + 1`, ...set], sql`, `)}
			where id = ${before.id}`),
		...(redirect ? [redirect.statement] : []),
		...(isPublic
			? requestBuild(db, `Changed ${event.detail.slice(0, 200)}`, now, [
					...new Set([pathOf(before.slug), pathOf(after.slug)]),
				])
			: []),
	]);
}

const isVersion = ({ id, version }: Stored) =>
	sql`(select version from pages where id = ${id}) = ${version}`;

/** Deletes a page, with its former addresses. Returns null if there is no such page. */
export async function deletePage(
	db: Db,
	slug: string,
	{ actor, now }: Actor,
): Promise<{ slug: string; undo: string } | null> {
	if (builtIn(slug)) {
		throw new AppError('conflict', 'The site needs this page: it can be edited, not deleted.');
	}
	const token = crypto.randomUUID();
	const found = await retryWhenOvertaken(async () => {
		const [page] = await readStored(db, slug);
		if (!page) return false;
		const { id, title, published } = page;
		const followers = moveFollowers(db, 'page', id, undefined);
		const whole = Object.fromEntries(
			Object.values(columns)
				.filter(({ name }) => name !== 'id')
				.map(({ name }) => [name, sql`${sql.identifier(name)}`]),
		);
		const own: Change = {
			table: 'pages',
			images: sql`select ${imageOf({ id: sql`id` }, whole, null)} as image from pages where id = ${id}`,
		};
		const event = { actor, action: 'deleted', subject: `page ${id}`, detail: `“${title}”` };
		await db.batch([
			abortUnless(db, isVersion(page)),
			...recordUndoable(
				db,
				{ token, event, changes: [followers.change, own], builds: published },
				now,
			),
			followers.statement,
			db.run(sql`delete from pages where id = ${id}`),
			...(published ? requestBuild(db, `Deleted “${title}”`, now, [pathOf(slug)]) : []),
		]);
		return true;
	});
	return found ? { slug, undo: token } : null;
}

/** Returns when earlier versions of a page were saved, newest first, or null if there is no such page. */
export async function listPageRevisions(
	db: Db,
	slug: string,
): Promise<Omit<PageRevision, 'form'>[] | null> {
	const [page] = await readStored(db, slug);
	if (!page) return null;
	return listVersions(db, pageRevisions, eq(pageRevisions.pageId, page.id));
}

/** Returns an earlier version of a page, or null. */
export async function getPageRevision(
	db: Db,
	slug: string,
	version: number,
): Promise<PageRevision | null> {
	const [page] = await readStored(db, slug);
	if (!page) return null;
	const found = await getVersion(db, pageRevisions, eq(pageRevisions.pageId, page.id), version);
	if (!found) return null;
	const { questions, testimonials, ...plain } = found.columns;
	const lists = { questions: parseStored(questions), testimonials: parseStored(testimonials) };
	return { version, savedAt: found.savedAt, form: wellFormed({ ...plain, ...lists }) };
}

/** Deletes the earlier versions of pages that were deleted and can no longer be restored. */
export async function prunePages(db: Db, now: Date): Promise<void> {
	const oldest = now.getTime() - UNDO_DAYS * DAY;
	await db.run(sql`delete from page_revisions where page_id not in (select id from pages)
		and not exists (select 1 from audit_log where subject = 'page ' || page_id
			and action = 'deleted' and created_at > ${oldest})`);
}
