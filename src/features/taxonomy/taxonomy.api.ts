import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import {
	authorForm,
	categoryForm,
	seriesForm,
	tagForm,
	type StoredAuthor,
	type StoredCategory,
	type StoredSeries,
	type Term,
	type Undoable,
} from './term.ts';

const id = z.string().check(z.maxLength(100));
const version = z.optional(z.coerce.number());

/** Result of a deletion, and how many posts it moved. */
type Removed = { id: string; undo: string; moved: number };
/** The target of a merge. */
type Merged<Thing> = Thing & { undo: string; moved: number };

/** Returns the calls of a kind of term. Lists are in the kind's order. */
function termCalls<Stored>() {
	return <Form extends z.ZodMiniObject>(path: string, form: Form) => ({
		list: endpoint<Stored[]>()(`GET ${path}`, nothing),
		get: endpoint<Stored>()(`GET ${path}/:id`, z.object({ id })),
		create: endpoint<Stored>()(`POST ${path}`, form),
		/**
		 * Missing fields keep their values. An outdated `version` is a `conflict` that carries the stored term; without a
		 * version the save wins. Another name changes the address as well, unless `slug` says otherwise; the old one leads
		 * there.
		 */
		update: endpoint<Undoable<Stored>>()(
			`PUT ${path}/:id`,
			z.extend(z.partial(form), { id, version }),
		),
		remove: endpoint<Removed>()(`DELETE ${path}/:id`, z.object({ id })),
		/** Its posts move, and its addresses lead to the other one, which is the answer. */
		merge: endpoint<Merged<Stored>>()(`POST ${path}/:id/merge`, z.object({ id, into: id })),
	});
}

export const {
	list: listStoredCategories,
	get: getCategory,
	create: createCategory,
	update: updateCategory,
	merge: mergeCategory,
} = termCalls<StoredCategory>()('/api/admin/categories', categoryForm);

/** `into` is the category that its posts move to, which it needs if it has some. */
export const deleteCategory = endpoint<Removed>()(
	'DELETE /api/admin/categories/:id',
	z.object({ id, into: z.optional(id) }),
);

/** The list of tags is `completeTags`. */
export const {
	get: getTag,
	create: createTag,
	update: updateTag,
	remove: deleteTag,
	merge: mergeTag,
} = termCalls<Term>()('/api/admin/tags', tagForm);

/** The articles of a deleted series stay. */
export const {
	list: listStoredSeries,
	get: getSeries,
	create: createSeries,
	update: updateSeries,
	remove: deleteSeries,
} = termCalls<StoredSeries>()('/api/admin/series', seriesForm);

/** The posts of an author are those whose byline is the name: another name is also that of the bylines, which stay. */
export const {
	list: listStoredAuthors,
	get: getAuthor,
	create: createAuthor,
	update: updateAuthor,
	remove: deleteAuthor,
} = termCalls<StoredAuthor>()('/api/admin/authors', authorForm);
