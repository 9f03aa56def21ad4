import {
	emptyForm,
	minutesOf,
	slugOf,
	UNTITLED,
	type EditedPost,
	type PostForm,
} from '#src/features/posts/editing.ts';
import { UNCATEGORIZED } from '#src/features/posts/post.ts';
import { sameForm } from '#src/dashboard/editor/versions/merge.ts';

/** Where the words are. */
export type SaveState =
	/** The server has them. */
	| 'saved'
	| 'unsaved'
	| 'saving'
	/** Only this device has them: the server cannot be reached, or cannot take them now. */
	| 'unreachable'
	/** Only this device has them, until somebody signs in. */
	| 'signed-out'
	/** The server does not take them as they are. */
	| 'refused'
	/** Somebody else wrote meanwhile: both versions are there to choose from. */
	| 'conflict';

/** The part of the state that the writer sees. */
export type Writing = {
	/** Null before the server knows the post. */
	post: EditedPost | null;
	form: PostForm;
	save: SaveState;
	/** The reason, where it is not saved. */
	message: string;
	/** When the server last had everything: milliseconds. */
	savedAt: number | null;
	/** The version that another tab or person saved meanwhile, and the one that both started from. */
	conflict: { theirs: EditedPost; form: PostForm; base: PostForm } | null;
};

/** All that is known of writing one post: what is shown, and what the next call is made of. */
export type WritingState = Writing & {
	/** The form as the server has it. */
	savedForm: PostForm;
	/** Version of the draft on the server; null where it has none. */
	draftVersion: number | null;
	/** The post's version that the draft starts from. */
	baseVersion: number;
	/** A new post as it was sent first, while nobody knows whether it arrived. */
	pendingCreate: { id: string; form: PostForm } | null;
	/** Forms sent since the server last answered, each with what was on the screen: the server may have any of them. */
	inFlightForms: readonly { whole: PostForm; form: PostForm }[];
	/** Turns in a row that did not reach the server. */
	failures: number;
	/** The first change since the server last had everything: milliseconds. */
	unsavedSince: number | null;
};

/** Everything that can happen. A turn is all calls of one save, one after another; `at` is in milliseconds. */
export type WritingEvent =
	/** Somebody typed. */
	| { type: 'edited'; changes: Partial<PostForm>; at: number }
	| { type: 'turn-started' }
	/** A new post goes to the server under this id, or again under its first one. */
	| { type: 'create-sent'; id: string }
	/** The server did not make it: the next try is another post. */
	| { type: 'create-refused' }
	/** The server made it of what was sent. */
	| { type: 'created'; post: EditedPost }
	| { type: 'form-sent'; whole: PostForm }
	| { type: 'draft-stored'; form: PostForm; version: number }
	/** The server's post as it is now; what was typed since `sent` stays. */
	| { type: 'post-stored'; post: EditedPost; sent: PostForm }
	/** The server has all that the turn was for. */
	| { type: 'turn-finished'; at: number }
	| { type: 'unreachable'; message: string }
	| { type: 'signed-out' }
	| { type: 'refused'; message: string }
	/** The server has a version that was not made here. */
	| { type: 'conflicted'; theirs: EditedPost }
	/** The writer chose: this form goes over theirs. */
	| { type: 'resolved'; form: PostForm }
	/** Another call changed the post: restored it, or discarded its draft. */
	| { type: 'replaced'; post: EditedPost; at: number };

/** Where the words are after each event: the same place from everywhere, or by where they were. Without an entry they stay. */
const NEXT: Record<WritingEvent['type'], SaveState | Partial<Record<SaveState, SaveState>>> = {
	// Typing neither hurries the next try nor asks again and again for a password or a choice. `saved`, where the change
	// is taken back before anything was sent.
	edited: { saved: 'unsaved', saving: 'unsaved', refused: 'unsaved' },
	'turn-started': 'saving',
	'create-sent': {},
	'create-refused': {},
	created: {},
	'form-sent': {},
	'draft-stored': {},
	'post-stored': {},
	// `unsaved`, where somebody typed meanwhile.
	'turn-finished': 'saved',
	unreachable: 'unreachable',
	'signed-out': 'signed-out',
	refused: 'refused',
	conflicted: 'conflict',
	resolved: { conflict: 'unsaved' },
	replaced: 'saved',
};

/** How many forms without an answer are remembered. */
const MAX_IN_FLIGHT = 50;

/** Milliseconds: after the last key until the device has it, until the server has it, and at most while typing goes on. */
export const DELAYS = { device: 300, server: 2000, longest: 10_000 } as const;
/** Milliseconds until the server is tried again, longer each time. */
export const RETRIES = [3000, 6000, 15_000, 30_000] as const;

/**
 * Returns the state in which writing begins: `form` may be a copy that the server never had. `sentAs` is the id under which
 * an earlier page may have sent a new post: whatever of it arrived, the words of the copy go over it.
 */
export function initialState(
	post: EditedPost | null,
	form: PostForm,
	at: number,
	sentAs?: string,
): WritingState {
	const savedForm = post ? workingForm(post) : emptyForm;
	const isSaved = sameForm(form, savedForm);
	return {
		post,
		form,
		save: isSaved ? 'saved' : 'unsaved',
		message: '',
		savedAt: null,
		conflict: null,
		savedForm,
		draftVersion: null,
		baseVersion: 1,
		...(post && versionsOf(post)),
		pendingCreate: sentAs === undefined ? null : { id: sentAs, form: emptyForm },
		inFlightForms: [],
		failures: 0,
		unsavedSince: isSaved ? null : at,
	};
}

/** Returns the state after an event. */
export function transition(before: WritingState, event: WritingEvent): WritingState {
	const next = NEXT[event.type];
	const save = typeof next === 'string' ? next : (next[before.save] ?? before.save);
	const state = { ...before, save };
	switch (event.type) {
		case 'edited': {
			const edited = { ...state, form: { ...state.form, ...event.changes } };
			if (save !== 'unsaved') return edited;
			const isTakenBack = !isDirty(edited) && !state.pendingCreate && !state.inFlightForms.length;
			return isTakenBack
				? { ...edited, save: 'saved', message: '', unsavedSince: null }
				: { ...edited, message: '', unsavedSince: state.unsavedSince ?? event.at };
		}
		case 'turn-started':
			return { ...state, message: '' };
		case 'create-sent':
			return { ...state, pendingCreate: state.pendingCreate ?? { id: event.id, form: state.form } };
		case 'create-refused':
			return { ...state, pendingCreate: null };
		case 'created': {
			const { post } = event;
			const sent = state.pendingCreate?.form ?? state.form;
			const created = { ...state, pendingCreate: null };
			return isUntouched(post)
				? withPost(created, post, sent)
				: { ...created, post, savedForm: sent };
		}
		case 'form-sent': {
			const sent = { whole: event.whole, form: state.form };
			return { ...state, inFlightForms: [...state.inFlightForms, sent].slice(-MAX_IN_FLIGHT) };
		}
		case 'draft-stored':
			return { ...state, savedForm: event.form, draftVersion: event.version };
		case 'post-stored':
			return withPost(state, event.post, event.sent);
		case 'turn-finished':
			return finished(state, event.at);
		case 'unreachable':
			return { ...state, message: event.message, failures: state.failures + 1 };
		case 'signed-out':
			return { ...state, message: 'Sign in to save it on the server.' };
		case 'refused':
			return { ...state, message: event.message };
		case 'conflicted': {
			const { theirs } = event;
			const conflict = { theirs, form: workingForm(theirs), base: state.savedForm };
			return { ...state, message: '', conflict };
		}
		case 'resolved': {
			if (!state.conflict) return state;
			const { theirs: post, form: savedForm } = state.conflict;
			const versions = { ...versionsOf(post), baseVersion: post.version };
			return { ...state, ...versions, post, savedForm, form: event.form, conflict: null };
		}
		case 'replaced': {
			const form = workingForm(event.post);
			return finished(withPost({ ...state, form, conflict: null }, event.post, form), event.at);
		}
	}
}

/** Returns the milliseconds until the next save by itself; null where that waits for somebody. */
export function saveDelay(
	{ save, failures, unsavedSince }: WritingState,
	now: number,
): number | null {
	if (save === 'unreachable') return RETRIES[Math.min(failures, RETRIES.length) - 1] ?? RETRIES[0];
	if (save !== 'unsaved') return null;
	return Math.min(DELAYS.server, Math.max(0, (unsavedSince ?? now) + DELAYS.longest - now));
}

/** Whether something was typed that the server does not have. */
export function isDirty({ form, savedForm }: WritingState): boolean {
	return !sameForm(form, savedForm);
}

/** Whether a post is as it was created: nobody wrote in it since. */
export function isUntouched({ version, draft }: EditedPost): boolean {
	return version === 1 && !draft;
}

/**
 * The form that is being written: the working draft where there is one. Whether it is public only the post says; what
 * the server completed by itself stays open, so that it follows the words that are still being written.
 */
export function workingForm({ form, draft, publishedAt, category }: EditedPost): PostForm {
	if (draft) return { ...draft.form, published: form.published };
	const isUntitled = !publishedAt && form.title === UNTITLED && /^untitled(-\d+)?$/.test(form.slug);
	const isOpen = !form.published && category.slug === UNCATEGORIZED.slug;
	const isOwnSlug = !publishedAt && (isUntitled || form.slug === slugOf({ ...form, slug: '' }));
	const isCounted = form.readTime === minutesOf({ ...form, readTime: null });
	return {
		...form,
		title: isUntitled ? '' : form.title,
		categoryId: isOpen ? '' : form.categoryId,
		slug: isOwnSlug ? '' : form.slug,
		readTime: isCounted ? null : form.readTime,
	};
}

function versionsOf({ version, draft }: EditedPost) {
	return { draftVersion: draft?.version ?? null, baseVersion: draft?.baseVersion ?? version };
}

/** Returns the state with the server's post; what was typed since `sent` stays. */
function withPost(state: WritingState, post: EditedPost, sent: PostForm): WritingState {
	const savedForm = workingForm(post);
	const typed = Object.fromEntries(
		Object.entries(state.form).filter(
			([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name as keyof PostForm]),
		),
	);
	// A day that is planned for a draft is the draft's alone.
	const planned = !savedForm.published &&
		!savedForm.publishedAt && { publishedAt: sent.publishedAt };
	const form = { ...savedForm, ...planned, ...typed };
	return { ...state, post, savedForm, form, ...versionsOf(post) };
}

/** Returns the state after the server has all that was sent; what was typed meanwhile is still to be saved. */
function finished(state: WritingState, at: number): WritingState {
	const done = { ...state, message: '', inFlightForms: [], failures: 0 };
	return isDirty(state)
		? { ...done, save: 'unsaved', unsavedSince: at }
		: { ...done, unsavedSince: null, savedAt: at };
}
