import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { newPage, pageChanges, type EditedPage, type PageForm, type PageRow } from './editing.ts';

/** The slug of a page; of the pages whose texts are part of the program: `home`, `states`, `newsletter`. */
const page = z.string().check(z.maxLength(100));

export const listEditedPages = endpoint<PageRow[]>()({
	method: 'GET',
	path: '/api/admin/pages',
	input: z.object({}),
});

/** Not public unless it says so. */
export const createPage = endpoint<EditedPage>()({
	method: 'POST',
	path: '/api/admin/pages',
	input: newPage,
});

export const getEditedPage = endpoint<EditedPage>()({
	method: 'GET',
	path: '/api/admin/pages/:page',
	input: z.object({ page }),
});

/** The stored page, and the token that takes the save back, or null where nothing changed. */
export type SavedPage = EditedPage & { undo: string | null };

/**
 * Missing fields keep their values; another `slug` moves the page, and its former address leads there. An outdated
 * `version` is a `conflict` that carries the stored page; without a version the save wins. `settled` says that the newer
 * file was looked at: it is offered no longer.
 */
export const updatePage = endpoint<SavedPage>()({
	method: 'PUT',
	path: '/api/admin/pages/:page',
	input: z.extend(pageChanges, {
		page,
		version: z.optional(z.coerce.number()),
		settled: z.optional(z.boolean()),
	}),
});

export const deletePage = endpoint<{ slug: string; undo: string }>()({
	method: 'DELETE',
	path: '/api/admin/pages/:page',
	input: z.object({ page }),
});

/** An earlier version of a page, and when it was saved. */
export type PageRevision = { version: number; savedAt: string; form: PageForm };

/** Earlier versions, newest first. */
export const listPageRevisions = endpoint<Omit<PageRevision, 'form'>[]>()({
	method: 'GET',
	path: '/api/admin/pages/:page/revisions',
	input: z.object({ page }),
});

export const getPageRevision = endpoint<PageRevision>()({
	method: 'GET',
	path: '/api/admin/pages/:page/revisions/:version',
	input: z.object({ page, version: z.coerce.number() }),
});
