import * as api from '#src/features/states/editing.api.ts';
import {
	fieldsBetween,
	formOf,
	mergeForms,
	STATE_FIELDS,
	textOf,
	type EditedState,
	type StateForm,
} from '#src/features/states/editing.ts';
import type { Kind } from '#src/dashboard/versioned/kind.ts';
import { writingsOf } from '#src/dashboard/versioned/writing.store.ts';
import { paths } from '#src/site.ts';

/** How a state is edited. */
export const STATE: Kind<EditedState, StateForm, { slug: string }> = {
	noun: 'state',
	all: 'states',
	labels: STATE_FIELDS,
	at: (slug) => ({ slug }),
	keyOf: ({ slug }) => slug,
	nameOf: ({ name }) => name,
	pathOf: ({ slug }) => paths.state(slug),
	formOf,
	between: fieldsBetween,
	textOf,
	merge: mergeForms,
	check(form, changed) {
		const unread = changed.includes('figures')
			? form.figures.findIndex(({ value }) => Number.isNaN(value))
			: -1;
		return unread < 0 ? {} : { [`figures.${unread}.value`]: 'Use a number from 0.' };
	},
	get: api.getEditedState,
	update: api.updateState,
	listRevisions: api.listStateRevisions,
	getRevision: api.getStateRevision,
};

/** The states that were opened. */
export const stateWritings = writingsOf(STATE);
