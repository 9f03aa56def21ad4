import { and, eq, getTableColumns, not, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { pageRevisions, pages, states } from '#db/schema.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { retryWhenOvertaken } from '#src/core/batches.server.ts';
import { moveFollowers, redirectTo } from '#src/core/records/consequences.server.ts';
import type { Update } from '#src/core/records/record.ts';
import { commit, recordStore, removeRow, type Row } from '#src/core/records/records.server.ts';
import { UNDO_DAYS } from '#src/core/retention.ts';
import { POST_LIMITS } from '#src/features/posts/editing.ts';
import { cleanContent } from '#src/features/posts/saving.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { cutSlug, slugify } from '#src/lib/slug.ts';
import { isFreeSlug, paths } from '#src/site.ts';
import {
	fieldsOf,
	lengthProblem,
	PAGE,
	type EditedPage,
	type PageForm,
	type PageRow,
} from './editing.ts';
import { builtIn, pathOf } from './page.ts';
import { ownPart } from './pages.server.ts';

type Stored = Row<PageForm>;

const isRead = ({ published, slug }: Stored) => published || builtIn(slug) !== undefined;

export const pageStore = recordStore<PageForm, Stored, EditedPage, PageRow>({
	noun: 'page',
	kind: PAGE,
	table: pages,
	revisions: pageRevisions,
	owner: pageRevisions.pageId,
	order: [pages.title, pages.slug],
	nameOf: ({ title }) => title,
	complete,
	edited: (row) => ({ path: pathOf(row.slug), ...ownPart(row) }),
	listed: (row) => {
		const { slug, title, published, footer, questions, testimonials } = { ...row, ...ownPart(row) };
		return {
			...{ title, path: pathOf(slug), published, footer },
			...{ questions: questions.length, testimonials: testimonials.length },
		};
	},
	pathsOf: (before, after) =>
		isRead(before) || isRead(after) ? [pathOf(before.slug), pathOf(after.slug)] : [],
	consequences: (db, { id, slug, published }, after, now) =>
		slug !== after.slug && published ? [redirectTo(db, 'page', slug, id, now)] : [],
});

/** Returns the pages that the site has: the one of the states only where there are some. */
export async function listPages(db: Db): Promise<PageRow[]> {
	const all = await pageStore.list(db);
	const hasStates = (await db.$count(states)) > 0;
	return all.filter(({ path }) => hasStates || path !== paths.states);
}

type Changes = Omit<Update<PageForm>, 'version' | 'settled'>;

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
		if (problem) throw invalid({ content: problem });
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
			if (made) return (await pageStore.get(db, made.slug))!;
		}
		const id = crypto.randomUUID();
		const slug = await chooseSlug(db, id, wanted, title);
		const values = { ...given, id, title, slug, content: cleanContent({ content }) };
		const event = { actor, action: 'created', subject: `page ${id}`, detail: `“${title}”` };
		const statements = [db.insert(pages).values({ ...values, createdAt: now, updatedAt: now })];
		const conditions = [
			sql`${isBare ? 0 : 1} or not exists (select 1 from ${pages} where ${unused})`,
		];
		const paths = given.published ? [pathOf(slug)] : [];
		await commit(db, { event, conditions, statements, paths }, now);
		return (await pageStore.get(db, slug))!;
	});
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
		if (!isFreeSlug(wanted)) throw invalid({ slug: 'Another part of the site has this address.' });
		if (await taken(wanted)) throw invalid({ slug: 'Another page has this address.' });
		return wanted;
	}
	const base = cutSlug(slugify(title), POST_LIMITS.slug - 4) || 'page';
	for (let number = 1; ; number++) {
		const slug = number === 1 ? base : `${base}-${number}`;
		if (isFreeSlug(slug) && !(await taken(slug))) return slug;
	}
}

/** Returns a page with the changes of a form, which may only be of what can be edited. */
async function complete(db: Db, before: Stored, given: Changes): Promise<Stored> {
	// What the desk does not show is not stored in the owner's name.
	const after = { ...before, ...ownPart(before), ...given } as Stored;
	const editable = fieldsOf(before.slug);
	const fixed = PAGE.between(before, after).filter((name) => !editable.includes(name));
	if (fixed.length > 0) {
		throw invalid(Object.fromEntries(fixed.map((name) => [name, 'This belongs to the program.'])));
	}
	if (after.content !== before.content) {
		const problem = lengthProblem(after.content, before.content);
		if (problem) throw invalid({ content: problem });
		after.content = cleanContent(after);
	}
	if (after.slug !== before.slug) {
		after.slug = await chooseSlug(db, before.id, after.slug, after.title);
	}
	return after;
}

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
	return retryWhenOvertaken(async () => {
		const [page] = await pageStore.read(db, slug);
		if (!page) return null;
		const { id, title, published } = page;
		const followers = moveFollowers(db, 'page', id, undefined);
		const own = removeRow(db, 'pages', getTableColumns(pages), page);
		await commit(
			db,
			{
				token,
				event: { actor, action: 'deleted', subject: `page ${id}`, detail: `“${title}”` },
				conditions: [own.condition],
				changes: [followers.change, ...own.changes],
				statements: [followers.statement, own.statement],
				paths: published ? [pathOf(slug)] : [],
			},
			now,
		);
		return { slug, undo: token };
	});
}

/** Deletes the earlier versions of pages that were deleted and can no longer be restored. */
export async function prunePages(db: Db, now: Date): Promise<void> {
	const oldest = now.getTime() - UNDO_DAYS * DAY;
	await db.run(sql`delete from page_revisions where page_id not in (select id from pages)
		and not exists (select 1 from audit_log where subject = 'page ' || page_id
			and action = 'deleted' and created_at > ${oldest})`);
}
