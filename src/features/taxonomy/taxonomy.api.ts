import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
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

/** All categories, in their order. The list of tags is `completeTags`. */
export const listStoredCategories = endpoint<StoredCategory[]>()({
	method: 'GET',
	path: '/api/admin/categories',
	input: z.object({}),
});

export const getCategory = endpoint<StoredCategory>()({
	method: 'GET',
	path: '/api/admin/categories/:id',
	input: z.object({ id }),
});

export const createCategory = endpoint<StoredCategory>()({
	method: 'POST',
	path: '/api/admin/categories',
	input: categoryForm,
});

/**
 * Missing fields keep their values. An outdated `version` is a `conflict` that carries the stored one; without a version
 * the save wins. Another name changes the address as well, unless `slug` says otherwise; the old one leads there.
 */
export const updateCategory = endpoint<Undoable<StoredCategory>>()({
	method: 'PUT',
	path: '/api/admin/categories/:id',
	input: z.extend(z.partial(categoryForm), { id, version }),
});

/** `into` is the category that its posts move to, which it needs if it has some. */
export const deleteCategory = endpoint<Removed>()({
	method: 'DELETE',
	path: '/api/admin/categories/:id',
	input: z.object({ id, into: z.optional(id) }),
});

/** Its posts move, and its addresses lead to the other one, which is the answer. */
export const mergeCategory = endpoint<Merged<StoredCategory>>()({
	method: 'POST',
	path: '/api/admin/categories/:id/merge',
	input: z.object({ id, into: id }),
});

export const getTag = endpoint<Term>()({
	method: 'GET',
	path: '/api/admin/tags/:id',
	input: z.object({ id }),
});

export const createTag = endpoint<Term>()({
	method: 'POST',
	path: '/api/admin/tags',
	input: tagForm,
});

/** As `updateCategory`. */
export const updateTag = endpoint<Undoable<Term>>()({
	method: 'PUT',
	path: '/api/admin/tags/:id',
	input: z.extend(z.partial(tagForm), { id, version }),
});

export const deleteTag = endpoint<Removed>()({
	method: 'DELETE',
	path: '/api/admin/tags/:id',
	input: z.object({ id }),
});

/** As `mergeCategory`. */
export const mergeTag = endpoint<Merged<Term>>()({
	method: 'POST',
	path: '/api/admin/tags/:id/merge',
	input: z.object({ id, into: id }),
});

/** All series, by name. */
export const listStoredSeries = endpoint<StoredSeries[]>()({
	method: 'GET',
	path: '/api/admin/series',
	input: z.object({}),
});

export const getSeries = endpoint<StoredSeries>()({
	method: 'GET',
	path: '/api/admin/series/:id',
	input: z.object({ id }),
});

export const createSeries = endpoint<StoredSeries>()({
	method: 'POST',
	path: '/api/admin/series',
	input: seriesForm,
});

/** As `updateCategory`. */
export const updateSeries = endpoint<Undoable<StoredSeries>>()({
	method: 'PUT',
	path: '/api/admin/series/:id',
	input: z.extend(z.partial(seriesForm), { id, version }),
});

export const deleteSeries = endpoint<Removed>()({
	method: 'DELETE',
	path: '/api/admin/series/:id',
	input: z.object({ id }),
});

/** All authors, by name. */
export const listStoredAuthors = endpoint<StoredAuthor[]>()({
	method: 'GET',
	path: '/api/admin/authors',
	input: z.object({}),
});

export const getAuthor = endpoint<StoredAuthor>()({
	method: 'GET',
	path: '/api/admin/authors/:id',
	input: z.object({ id }),
});

/** The posts of an author are those whose byline is the name. */
export const createAuthor = endpoint<StoredAuthor>()({
	method: 'POST',
	path: '/api/admin/authors',
	input: authorForm,
});

/** As `updateCategory`. Another name is also that of the bylines. */
export const updateAuthor = endpoint<Undoable<StoredAuthor>>()({
	method: 'PUT',
	path: '/api/admin/authors/:id',
	input: z.extend(z.partial(authorForm), { id, version }),
});

/** The bylines stay. */
export const deleteAuthor = endpoint<Removed>()({
	method: 'DELETE',
	path: '/api/admin/authors/:id',
	input: z.object({ id }),
});
