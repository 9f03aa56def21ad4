import type { Context } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { on } from '#functions/lib/http.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import { completeTags as listTags } from '#src/features/posts/editing.api.ts';
import { completeTags } from '#src/features/posts/tags.server.ts';
import {
	deleteAuthor,
	deleteCategory,
	mergeCategory,
	deleteSeries,
	deleteTag,
	mergeTag,
} from '#src/features/taxonomy/removal.server.ts';
import {
	listStoredAuthors,
	getAuthor,
	listStoredCategories,
	getCategory,
	listStoredSeries,
	getSeries,
	getTag,
} from '#src/features/taxonomy/stored-terms.server.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import {
	createAuthor,
	updateAuthor,
	createCategory,
	updateCategory,
	createSeries,
	updateSeries,
	createTag,
	updateTag,
} from '#src/features/taxonomy/terms.server.ts';

/** Publishes a change of terms, and of the posts that show them. */
const shown = <Out>(context: Context, output: Out) =>
	afterChange(['posts', 'categories'], context, output);

export const taxonomyRoutes = [
	on(api.listStoredAuthors, () => listStoredAuthors(getDb())),
	on(api.createAuthor, async (form, request, context) =>
		shown(context, await createAuthor(getDb(), form, actorOf(request))),
	),
	on(api.getAuthor, ({ id }) => getAuthor(getDb(), id)),
	on(api.updateAuthor, async ({ id, ...changes }, request, context) =>
		shown(context, await updateAuthor(getDb(), id, changes, actorOf(request))),
	),
	on(api.deleteAuthor, async ({ id }, request, context) =>
		shown(context, await deleteAuthor(getDb(), id, actorOf(request))),
	),
	on(api.listStoredCategories, () => listStoredCategories(getDb())),
	on(api.createCategory, async (form, request, context) =>
		shown(context, await createCategory(getDb(), form, actorOf(request))),
	),
	on(api.getCategory, ({ id }) => getCategory(getDb(), id)),
	on(api.updateCategory, async ({ id, ...changes }, request, context) =>
		shown(context, await updateCategory(getDb(), id, changes, actorOf(request))),
	),
	on(api.deleteCategory, async ({ id, into }, request, context) =>
		shown(context, await deleteCategory(getDb(), id, into, actorOf(request))),
	),
	on(
		api.mergeCategory,
		async ({ id, into }, request, context) =>
			shown(context, await mergeCategory(getDb(), id, into, actorOf(request))),
		{ status: 200 },
	),
	on(api.listStoredSeries, () => listStoredSeries(getDb())),
	on(api.createSeries, async (form, request, context) =>
		shown(context, await createSeries(getDb(), form, actorOf(request))),
	),
	on(api.getSeries, ({ id }) => getSeries(getDb(), id)),
	on(api.updateSeries, async ({ id, ...changes }, request, context) =>
		shown(context, await updateSeries(getDb(), id, changes, actorOf(request))),
	),
	on(api.deleteSeries, async ({ id }, request, context) =>
		shown(context, await deleteSeries(getDb(), id, actorOf(request))),
	),
	on(listTags, ({ q }) => completeTags(getDb(), q)),
	on(api.createTag, (form, request) => createTag(getDb(), form, actorOf(request))),
	on(api.getTag, ({ id }) => getTag(getDb(), id)),
	on(api.updateTag, async ({ id, ...changes }, request, context) =>
		shown(context, await updateTag(getDb(), id, changes, actorOf(request))),
	),
	on(api.deleteTag, async ({ id }, request, context) =>
		shown(context, await deleteTag(getDb(), id, actorOf(request))),
	),
	on(
		api.mergeTag,
		async ({ id, into }, request, context) =>
			shown(context, await mergeTag(getDb(), id, into, actorOf(request))),
		{ status: 200 },
	),
];
