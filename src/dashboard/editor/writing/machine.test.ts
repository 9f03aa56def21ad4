import { expect, test } from 'vitest';
import { emptyForm, type EditedPost, type PostForm } from '#src/features/posts/editing.ts';
import {
	DELAYS,
	initialState,
	isDirty,
	RETRIES,
	saveDelay,
	transition,
	type SaveState,
	type WritingEvent,
	type WritingState,
} from './machine.ts';

const FORM: PostForm = { ...emptyForm, title: 'A title', categoryId: 'c1', slug: 'x' };
const OTHER: PostForm = { ...FORM, title: 'Another title' };

const postOf = (form: PostForm, version = 1, draft: EditedPost['draft'] = null) =>
	({
		id: 'p1',
		form,
		version,
		draft,
		publishedAt: null,
		category: { name: 'A', slug: 'a' },
	}) as EditedPost;
const draftOf = (form: PostForm, version: number, baseVersion: number) => ({
	form,
	version,
	baseVersion,
	updatedAt: '2026-11-21T00:00:00Z',
});

/** Returns the state of a post with unsaved words. */
function stateIn(save: SaveState): WritingState {
	const state = initialState(postOf(FORM), OTHER, 0);
	const theirs = postOf({ ...FORM, title: 'Theirs' }, 2);
	if (save === 'conflict') return transition(state, { type: 'conflicted', theirs });
	return { ...state, save, message: 'Why' };
}

/** One event of each kind. */
const EVENTS: { [Type in WritingEvent['type']]: Extract<WritingEvent, { type: Type }> } = {
	edited: { type: 'edited', changes: { title: 'More' }, at: 1 },
	'turn-started': { type: 'turn-started' },
	'create-sent': { type: 'create-sent', id: 'p1' },
	'create-refused': { type: 'create-refused' },
	created: { type: 'created', post: postOf(FORM) },
	'form-sent': { type: 'form-sent', whole: FORM },
	'draft-stored': { type: 'draft-stored', form: OTHER, version: 1 },
	'post-stored': { type: 'post-stored', post: postOf(OTHER, 2), sent: OTHER },
	'turn-finished': { type: 'turn-finished', at: 1 },
	unreachable: { type: 'unreachable', message: 'No answer.' },
	'signed-out': { type: 'signed-out' },
	refused: { type: 'refused', message: 'Too long.' },
	conflicted: { type: 'conflicted', theirs: postOf(FORM, 2) },
	resolved: { type: 'resolved', form: OTHER },
	replaced: { type: 'replaced', post: postOf(FORM, 2), at: 1 },
};

const PLACES = [
	'saved',
	'unsaved',
	'saving',
	'unreachable',
	'signed-out',
	'refused',
	'conflict',
] as const satisfies SaveState[];
const STAY = [...PLACES];
const to = (save: SaveState) => PLACES.map(() => save);

/** Where each event leads, from each of `PLACES`. */
const TABLE: Record<WritingEvent['type'], SaveState[]> = {
	edited: ['unsaved', 'unsaved', 'unsaved', 'unreachable', 'signed-out', 'unsaved', 'conflict'],
	'turn-started': to('saving'),
	'create-sent': STAY,
	'create-refused': STAY,
	created: STAY,
	'form-sent': STAY,
	'draft-stored': STAY,
	'post-stored': STAY,
	// The words of these states are not what the server has.
	'turn-finished': to('unsaved'),
	unreachable: to('unreachable'),
	'signed-out': to('signed-out'),
	refused: to('refused'),
	conflicted: to('conflict'),
	resolved: [...PLACES.slice(0, -1), 'unsaved'],
	replaced: to('saved'),
};

test.each(Object.keys(TABLE) as WritingEvent['type'][])('%s leads where it should', (type) => {
	const reached = PLACES.map((save) => transition(stateIn(save), EVENTS[type]).save);
	expect(reached).toEqual(TABLE[type]);
});

test('no event changes the state that it is given', () => {
	for (const save of PLACES) {
		for (const event of Object.values(EVENTS)) {
			const state = stateIn(save);
			const before = structuredClone(state);
			transition(state, event);
			expect(state).toEqual(before);
		}
	}
});

test('there are two versions to choose from in a conflict, and only there', () => {
	for (const save of PLACES) {
		for (const event of Object.values(EVENTS)) {
			// No call is made before somebody chose.
			if (save === 'conflict' && !/^(edited|resolved|replaced)$/.test(event.type)) continue;
			const { save: reached, conflict } = transition(stateIn(save), event);
			expect(conflict !== null).toBe(reached === 'conflict');
		}
	}
});

test('writing begins saved, or with a copy that the server never had', () => {
	expect(initialState(postOf(FORM), FORM, 5)).toMatchObject({ save: 'saved', unsavedSince: null });
	expect(initialState(null, emptyForm, 5)).toMatchObject({ save: 'saved', draftVersion: null });
	expect(initialState(postOf(FORM), OTHER, 5)).toMatchObject({ save: 'unsaved', unsavedSince: 5 });
	const draft = draftOf(OTHER, 4, 2);
	expect(initialState(postOf(FORM, 3, draft), OTHER, 5)).toMatchObject({
		save: 'saved',
		draftVersion: 4,
		baseVersion: 2,
	});
});

test('a turn is over once the server has what was typed, also meanwhile', () => {
	const sent = transition(stateIn('saving'), EVENTS['form-sent']);
	expect(sent.inFlightForms).toEqual([{ whole: FORM, form: OTHER }]);
	const stored = transition(sent, EVENTS['draft-stored']);
	expect(isDirty(stored)).toBe(false);
	expect(transition(stored, { type: 'turn-finished', at: 9 })).toMatchObject({
		save: 'saved',
		savedAt: 9,
		inFlightForms: [],
		unsavedSince: null,
	});
	const typed = transition(stored, EVENTS.edited);
	expect(transition(typed, { type: 'turn-finished', at: 9 })).toMatchObject({
		save: 'unsaved',
		savedAt: null,
		unsavedSince: 9,
	});
});

test('a change that is taken back leaves nothing to save, unless it was sent', () => {
	const state = initialState(postOf(FORM), FORM, 0);
	const typed = transition(state, EVENTS.edited);
	const back: WritingEvent = { type: 'edited', changes: { title: FORM.title }, at: 2 };
	expect(transition(typed, back)).toEqual(state);
	const sent = transition(typed, EVENTS['form-sent']);
	expect(transition(sent, back)).toMatchObject({ save: 'unsaved', form: FORM });
});

test('a new post is sent again as it was sent first, unless the server did not take it', () => {
	const state = initialState(null, FORM, 0);
	const sent = transition(state, { type: 'create-sent', id: 'first' });
	const typed = transition(sent, EVENTS.edited);
	const again = transition(typed, { type: 'create-sent', id: 'second' });
	expect(again.pendingCreate).toEqual({ id: 'first', form: FORM });
	const refused = transition(again, { type: 'create-refused' });
	expect(transition(refused, { type: 'create-sent', id: 'third' }).pendingCreate).toEqual({
		id: 'third',
		form: { ...FORM, title: 'More' },
	});
});

test('what was typed since a post was sent goes before what the server made of it', () => {
	const sent = transition(initialState(null, FORM, 0), EVENTS['create-sent']);
	const typed = transition(sent, EVENTS.edited);
	const created = transition(typed, { type: 'created', post: postOf({ ...FORM, author: 'A' }) });
	expect(created).toMatchObject({
		form: { title: 'More', author: 'A' },
		savedForm: { title: 'A title', author: 'A' },
		pendingCreate: null,
	});
});

test('the words stay where somebody wrote in a new post before its answer came', () => {
	const sent = transition(initialState(null, FORM, 0), EVENTS['create-sent']);
	const created = transition(sent, { type: 'created', post: postOf(OTHER, 2) });
	expect(created).toMatchObject({ post: { version: 2 }, form: FORM, savedForm: FORM });
});

test('a choice goes over their draft, and over the post as it is now', () => {
	const theirs = postOf(FORM, 3, draftOf(OTHER, 7, 2));
	const conflict = transition(stateIn('saving'), { type: 'conflicted', theirs });
	expect(conflict.conflict).toMatchObject({ form: OTHER, base: FORM });
	const mine = { ...FORM, title: 'Mine' };
	expect(transition(conflict, { type: 'resolved', form: mine })).toMatchObject({
		form: mine,
		savedForm: OTHER,
		draftVersion: 7,
		baseVersion: 3,
	});
});

test('a save by itself comes soon after the last key, and at last while typing goes on', () => {
	const state = stateIn('unsaved');
	expect(saveDelay(state, 0)).toBe(DELAYS.server);
	expect(saveDelay(state, DELAYS.longest - 500)).toBe(500);
	expect(saveDelay(state, DELAYS.longest * 2)).toBe(0);
});

test('a server that cannot be reached is tried again, later each time', () => {
	let state = stateIn('saving');
	const delays = [...RETRIES, RETRIES.at(-1)].map(() => {
		state = transition(state, EVENTS.unreachable);
		return saveDelay(state, DELAYS.longest * 100);
	});
	expect(delays).toEqual([...RETRIES, RETRIES.at(-1)]);
});

test.each(['saved', 'saving', 'signed-out', 'refused', 'conflict'] as const)(
	'nothing is saved by itself where it is %s',
	(save) => expect(saveDelay(stateIn(save), 0)).toBeNull(),
);
