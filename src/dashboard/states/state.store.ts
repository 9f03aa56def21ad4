import { deskOf } from '#src/dashboard/records/desk.store.ts';
import * as api from '#src/features/states/editing.api.ts';
import { STATE } from '#src/features/states/editing.ts';
import { paths } from '#src/site.ts';

/** States at the desk, and those that were opened. */
export const stateWritings = deskOf({
	noun: 'state',
	all: 'states',
	kind: STATE,
	at: (slug: string) => ({ slug }),
	nameOf: ({ name }) => name,
	pathOf: ({ slug }) => paths.state(slug),
	check(form, changed) {
		const unread = changed.includes('figures')
			? form.figures.findIndex(({ value }) => Number.isNaN(value))
			: -1;
		return unread < 0 ? {} : { [`figures.${unread}.value`]: 'Use a number from 0.' };
	},
	...api,
});
