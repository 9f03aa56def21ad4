import * as z from 'zod/mini';
import { recordCalls } from '#src/core/records/calls.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { newPage, PAGE, type EditedPage, type PageForm, type PageRow } from './editing.ts';

const PATH = '/api/admin/pages';

/**
 * A page is named by its slug; the pages whose texts are part of the program are `home`, `states`, `newsletter`. Saved
 * with another `slug` it moves, and its former address leads there.
 */
export const { list, get, update, listRevisions, getRevision, getUnsaved, keepUnsaved } =
	recordCalls<PageForm, EditedPage, PageRow>()(PATH, 'page', PAGE.changes);

/** Not public unless it says so. */
export const createPage = endpoint<EditedPage>()(`POST ${PATH}`, newPage);

export const deletePage = endpoint<{ slug: string; undo: string }>()(
	`DELETE ${PATH}/:page`,
	z.object({ page: z.string().check(z.maxLength(100)) }),
);
