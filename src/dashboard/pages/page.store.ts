import { deskOf } from '#src/dashboard/records/desk.store.ts';
import * as api from '#src/features/pages/editing.api.ts';
import { PAGE } from '#src/features/pages/editing.ts';
import { builtIn } from '#src/features/pages/page.ts';

/** Pages at the desk, and those that were opened. */
export const pageWritings = deskOf({
	noun: 'page',
	all: 'pages',
	kind: PAGE,
	at: (page: string) => ({ page }),
	nameOf: ({ title }) => title,
	pathOf: ({ slug, path, published }) => (published || builtIn(slug) ? path : null),
	// The words that an article has for it.
	deedOf({ slug, published }, form) {
		if (builtIn(slug) || (published && form.published)) return 'Update';
		if (form.published) return 'Publish';
		return published ? 'Unpublish' : 'Save draft';
	},
	...api,
});
