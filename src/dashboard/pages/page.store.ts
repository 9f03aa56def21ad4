import {
	evidentChoices,
	mergedOf,
	partsOf,
	textOf as wordsOf,
} from '#src/dashboard/editor/versions/merge.ts';
import type { Kind } from '#src/dashboard/versioned/kind.ts';
import { writingsOf } from '#src/dashboard/versioned/writing.store.ts';
import * as api from '#src/features/pages/editing.api.ts';
import {
	fieldsBetween,
	formOf,
	mergeForms,
	PAGE_FIELDS,
	textOf,
	type EditedPage,
	type PageForm,
} from '#src/features/pages/editing.ts';
import { builtIn } from '#src/features/pages/page.ts';

/** How a page is edited. */
export const PAGE: Kind<EditedPage, PageForm, { page: string }> = {
	noun: 'page',
	all: 'pages',
	labels: PAGE_FIELDS,
	at: (page) => ({ page }),
	keyOf: ({ slug }) => slug,
	nameOf: ({ title }) => title,
	pathOf: ({ slug, path, published }) => (published || builtIn(slug) ? path : null),
	formOf,
	between: fieldsBetween,
	textOf: (form, name) => (name === 'content' ? wordsOf(form.content) : textOf(form, name)),
	merge: mergePages,
	get: api.getEditedPage,
	update: api.updatePage,
	listRevisions: api.listPageRevisions,
	getRevision: api.getPageRevision,
};

/** The pages that were opened. */
export const pageWritings = writingsOf(PAGE);

/** Merges two pages, and their texts by paragraphs where each was changed by one side alone. */
export function mergePages(base: PageForm, mine: PageForm, theirs: PageForm) {
	const { merged, disputed } = mergeForms(base, mine, theirs);
	if (!disputed.includes('content')) return { merged, disputed };
	const parts = partsOf(mine.content, theirs.content);
	const choices = evidentChoices(parts, base.content);
	const isEvident = parts.every((part, index) => 'same' in part || choices[index] !== undefined);
	if (!isEvident) return { merged, disputed };
	return {
		merged: { ...merged, content: mergedOf(parts, choices) },
		disputed: disputed.filter((name) => name !== 'content'),
	};
}
