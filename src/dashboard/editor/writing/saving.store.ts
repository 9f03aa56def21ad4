import type { ReadableAtom } from 'nanostores';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import {
	createPost,
	getEditedPost,
	saveDraft,
	updatePost,
	type EditedPost,
} from '#src/features/posts/editing.api.ts';
import type { ChangeNotice } from '#src/features/posts/changes.ts';
import type { PostForm } from '#src/features/posts/editing.ts';
import { AppError, messageOf, type ErrorCode } from '#src/lib/errors.ts';
import { isMadeOf, sameForm } from '#src/dashboard/editor/versions/merge.ts';
import type { SessionCopy } from './local-copies.ts';
import {
	isDirty,
	isUntouched,
	workingForm,
	type WritingEvent,
	type WritingState,
} from './machine.ts';

/** The calls that writing needs. */
export type Server = {
	open(id: string): Promise<EditedPost>;
	/** Returns the post of this id where it is there already. */
	create(id: string, form: PostForm): Promise<EditedPost>;
	update(
		id: string,
		form: PostForm,
		version: number,
		draftVersion: number | null,
		change: ChangeNotice | undefined,
	): Promise<EditedPost>;
	draft(
		id: string,
		form: PostForm,
		version: number | null,
		baseVersion: number,
	): Promise<{ version: number }>;
};

export const server: Server = {
	open: (id) => callAsAdmin(getEditedPost, { id }),
	create: (id, form) => callAsAdmin(createPost, { ...form, id }),
	update: (id, form, version, draftVersion, change) =>
		callAsAdmin(updatePost, { ...form, id, version, draftVersion, change }),
	draft: (id, form, version, baseVersion) =>
		callAsAdmin(saveDraft, { id, form, version, baseVersion }),
};

/** Codes of a call that came to nothing: after any other failure it may have been done. */
const UNDONE = new Set<string>([
	'validation',
	'too_large',
	'unsupported_type',
	'method_not_allowed',
	'unauthorized',
	'forbidden',
	'not_found',
	'conflict',
	'rate_limited',
] satisfies ErrorCode[]);

export const CHOOSE = 'Choose between the two versions first.';

/** Saves to the server, one turn at a time: every call and every answer is an event of the machine. */
export function serverTurns(tools: {
	server: Server;
	copy: SessionCopy;
	/** Id of the post that is made. */
	session: string;
	state: ReadableAtom<WritingState>;
	dispatch: (event: WritingEvent) => void;
}) {
	const { server, copy, session, state, dispatch } = tools;
	let running: Promise<void> | null = null;

	/** Saves the form as a draft, of a new post where there is none yet. Nothing to do where the server has it all. */
	async function draft(): Promise<void> {
		while (running) await running;
		if (state.get().conflict || !isDirty(state.get())) return;
		await turn(async () => {
			const { post, form, draftVersion, baseVersion } = state.get();
			if (!post) {
				await create();
				return finish();
			}
			dispatch({ type: 'form-sent', whole: form });
			const { version } = await server.draft(post.id, form, draftVersion, baseVersion);
			dispatch({ type: 'draft-stored', form, version });
			return finish();
		});
	}

	/** Saves the form to the post itself, with some changes. A `conflict` while there are two versions to choose from. */
	async function submit(changes: Partial<PostForm>, notice?: ChangeNotice): Promise<EditedPost> {
		while (running) await running;
		if (state.get().conflict) throw new AppError('conflict', CHOOSE);
		const isNew = !state.get().post;
		try {
			return await update(changes, notice, isNew);
		} catch (error) {
			// The version was our own after all: now it is known.
			const { post, save } = state.get();
			const isKnown = save === 'saved' || save === 'unsaved';
			if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
			if (!post || !isKnown) throw error;
			return update(changes, notice, true);
		}
	}

	/** `maybeDone` where the server may have all of it already: then nothing is saved twice. */
	async function update(
		changes: Partial<PostForm>,
		notice: ChangeNotice | undefined,
		maybeDone: boolean,
	): Promise<EditedPost> {
		let saved: EditedPost | undefined;
		await turn(async () => {
			if (!state.get().post) await create();
			const { form, draftVersion } = state.get();
			const post = state.get().post!;
			// Public or not is changed by nothing but what says so.
			const whole = { ...form, published: post.form.published, ...changes };
			if (maybeDone && !post.draft && isMadeOf(post.form, whole)) saved = post;
			else {
				dispatch({ type: 'form-sent', whole });
				saved = await server.update(post.id, whole, post.version, draftVersion, notice);
				dispatch({ type: 'post-stored', post: saved, sent: form });
			}
			await finish();
		});
		return saved!;
	}

	/**
	 * Makes the post on the server, as a draft. Where the answer was lost the very same is sent again, so that there is
	 * one post of it and nobody guesses which words it has.
	 */
	async function create(): Promise<void> {
		dispatch({ type: 'create-sent', id: session });
		const { id, form } = state.get().pendingCreate!;
		const post = await server.create(id, { ...form, published: false }).catch((error: unknown) => {
			if (error instanceof AppError && UNDONE.has(error.code)) dispatch({ type: 'create-refused' });
			throw error;
		});
		dispatch({ type: 'created', post });
		if (isUntouched(post)) return copy.remove(null);
		// Somebody wrote in it before its answer came.
		await copy.takeOver(copy.keyOf(null), post.id, state.get().form);
		throw new AppError('conflict', CHOOSE);
	}

	async function finish(): Promise<void> {
		dispatch({ type: 'turn-finished', at: Date.now() });
		const { save, post } = state.get();
		if (save === 'saved') await copy.remove(post?.id ?? null);
	}

	async function turn(work: () => Promise<void>): Promise<void> {
		dispatch({ type: 'turn-started' });
		const done = work().catch(async (error: unknown) => {
			await fail(error);
			throw error;
		});
		running = done.catch(() => undefined).finally(() => (running = null));
		await done;
	}

	async function fail(error: unknown): Promise<void> {
		const code = error instanceof AppError ? error.code : 'unknown';
		const message = messageOf(error);
		const { post } = state.get();
		switch (code) {
			case 'conflict':
				if (post) return handleConflict(post.id);
				return dispatch({ type: 'refused', message });
			case 'unauthorized':
			case 'second_factor':
			case 'sign_in_again':
				return dispatch({ type: 'signed-out' });
			case 'validation':
			case 'too_large':
			case 'unsupported_type':
			case 'method_not_allowed':
			case 'forbidden':
			case 'not_found':
				return dispatch({ type: 'refused', message });
			case 'network':
			case 'timeout':
			case 'rate_limited':
			case 'server':
			case 'upstream':
			case 'unavailable':
			case 'unknown':
				return dispatch({ type: 'unreachable', message });
		}
	}

	/** Another version is there: if it says something else, and not what was sent from here, the writer chooses. */
	async function handleConflict(id: string): Promise<void> {
		const theirs = await server.open(id).catch(() => null);
		if (!theirs)
			return dispatch({ type: 'unreachable', message: 'This post was changed elsewhere.' });
		const { form, inFlightForms } = state.get();
		const own = sameForm(workingForm(theirs), form)
			? { form }
			: inFlightForms.findLast(({ whole }) => isMadeOf(theirs.draft?.form ?? theirs.form, whole));
		if (!own) return dispatch({ type: 'conflicted', theirs });
		dispatch({ type: 'post-stored', post: theirs, sent: own.form });
		await finish();
	}

	return { draft, submit, finish };
}
