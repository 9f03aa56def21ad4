import { atom } from 'nanostores';
import type { EditedPost } from '#src/features/posts/editing.api.ts';
import type { ChangeNotice } from '#src/features/posts/changes.ts';
import type { PostForm } from '#src/features/posts/editing.ts';
import { AppError } from '#src/lib/errors.ts';
import { sameForm } from '#src/dashboard/editor/versions/merge.ts';
import { sessionCopy, type CopyStore } from './local-copies.ts';
import {
	DELAYS,
	initialState,
	isDirty,
	saveDelay,
	transition,
	type WritingEvent,
} from './machine.ts';
import { CHOOSE, serverTurns, type Server } from './saving.store.ts';

/** Events after which the next save by itself is set anew. */
const RESCHEDULING = new Set<WritingEvent['type']>(['turn-finished', 'unreachable']);

/**
 * Writing one post: every change is stored on the device at once and saved to the server as a draft soon after. Nothing
 * that was typed is given up, whatever the server answers.
 */
export function startWriting(
	start: {
		/** As the server has it. */
		post: EditedPost | null;
		/** The form to go on with. */
		form: PostForm;
		/** Key of the device's copy that `form` comes from. */
		copy?: string;
	},
	tools: {
		server: Server;
		device: CopyStore;
		/** Tells this writing's copies from those of any other, and is the id of the post that it makes: a UUID. */
		session: string;
	},
) {
	const isSent = !start.post && start.copy === `new|${tools.session}`;
	const state = atom(
		initialState(start.post, start.form, Date.now(), isSent ? tools.session : undefined),
	);
	const copy = sessionCopy(tools.device, tools.session);
	const turns = serverTurns({ ...tools, copy, state, dispatch });
	let deviceTimer: ReturnType<typeof setTimeout> | undefined;
	let serverTimer: ReturnType<typeof setTimeout> | undefined;
	let stopped = false;

	function dispatch(event: WritingEvent): void {
		state.set(transition(state.get(), event));
		if (RESCHEDULING.has(event.type)) scheduleSave();
	}

	function clearServerTimer(): void {
		clearTimeout(serverTimer);
		serverTimer = undefined;
	}

	function scheduleSave(): void {
		const delay = saveDelay(state.get(), Date.now());
		if (delay === null || stopped) return;
		clearTimeout(serverTimer);
		serverTimer = setTimeout(() => void flush(), delay);
	}

	/** Takes a change of the form. */
	function edit(changes: Partial<PostForm>): void {
		const { form } = state.get();
		if (sameForm({ ...form, ...changes }, form)) return;
		dispatch({ type: 'edited', changes, at: Date.now() });
		if (state.get().save === 'unsaved' || !serverTimer) scheduleSave();
		clearTimeout(deviceTimer);
		// A copy of what was taken back goes at once: nobody is to be asked about it where the page is left.
		const delay = state.get().save === 'saved' ? 0 : DELAYS.device;
		deviceTimer = setTimeout(() => void saveToDevice(), delay);
	}

	async function saveToDevice(): Promise<void> {
		clearTimeout(deviceTimer);
		const { form, post, save } = state.get();
		if (isDirty(state.get())) await copy.save(post?.id ?? null, form);
		else if (save === 'saved') await copy.remove(post?.id ?? null);
	}

	/** Saves now what is not saved: to the device, then to the server as a draft. */
	async function flush(): Promise<void> {
		clearServerTimer();
		await saveToDevice();
		await turns.draft().catch(() => undefined);
	}

	/** Saves all that was typed, before the server changes the post by another call. Rejects where that cannot be. */
	async function saveAll(): Promise<void> {
		do await flush();
		while (isDirty(state.get()) && state.get().save === 'unsaved');
		const { conflict, message } = state.get();
		if (conflict) throw new AppError('conflict', CHOOSE);
		if (isDirty(state.get())) throw new AppError('unavailable', message);
	}

	/**
	 * Saves to the post itself, with some changes; drafts become what everybody reads where it is published. A `conflict`
	 * while there are two versions to choose from.
	 */
	async function submit(changes: Partial<PostForm>, notice?: ChangeNotice): Promise<EditedPost> {
		clearServerTimer();
		await saveToDevice();
		return turns.submit(changes, notice);
	}

	/** Ends a conflict with this form, which is saved over theirs. */
	async function resolve(form: PostForm): Promise<void> {
		if (!state.get().conflict) return;
		dispatch({ type: 'resolved', form });
		if (isDirty(state.get())) await flush();
		else await turns.finish();
	}

	/** Goes on with a post that was changed on the server by another call: restored, or its draft discarded. */
	async function replaceFromServer(post: EditedPost): Promise<void> {
		dispatch({ type: 'replaced', post, at: Date.now() });
		await copy.remove(post.id);
	}

	/** Goes on with the server's post as it is now, and with what is being typed. */
	async function refresh(): Promise<void> {
		const { post, form } = state.get();
		if (!post) return;
		dispatch({ type: 'post-stored', post: await tools.server.open(post.id), sent: form });
	}

	/** Whether something typed is neither on the server nor on this device: closing the page would lose it. */
	function atRisk(): boolean {
		const { form, post } = state.get();
		return isDirty(state.get()) && !copy.isStored(post?.id ?? null, form);
	}

	/** Ends the timers; what is not saved is saved a last time. */
	async function stop(): Promise<void> {
		clearTimeout(deviceTimer);
		await flush();
		stopped = true;
		clearServerTimer();
	}

	scheduleSave();
	if (start.copy) {
		if (isDirty(state.get())) void copy.takeOver(start.copy, start.post?.id ?? null, start.form);
		else void copy.removeKey(start.copy);
	}

	return {
		state,
		edit,
		flush,
		saveAll,
		submit,
		resolve,
		replaceFromServer,
		refresh,
		atRisk,
		isDirty: () => isDirty(state.get()),
		stop,
	};
}

export type WritingStore = ReturnType<typeof startWriting>;
