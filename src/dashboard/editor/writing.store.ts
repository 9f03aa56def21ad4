import { atom } from 'nanostores';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import {
	createPost,
	getEditedPost,
	saveDraft,
	updatePost,
	type EditedPost,
} from '#src/features/posts/editing.api.ts';
import { UNCATEGORIZED } from '#src/features/posts/post.ts';
import {
	emptyForm,
	minutesOf,
	slugOf,
	UNTITLED,
	type PostForm,
} from '#src/features/posts/editing.ts';
import { AppError, messageOf, type ErrorCode } from '#src/lib/errors.ts';
import type { CopyStore } from './local-copies.ts';
import { isMadeOf, sameForm } from './merge.ts';

/** Where the words are. */
type SaveState =
	/** The server has them. */
	| 'saved'
	| 'unsaved'
	| 'saving'
	/** Only this device has them: nobody can reach the server. */
	| 'kept'
	/** Only this device has them, until somebody signs in. */
	| 'signed-out'
	/** Somebody else wrote meanwhile: both are there to choose from. */
	| 'conflict'
	/** The server does not take them as they are. */
	| 'refused';

export type Writing = {
	/** Null before the server knows the post. */
	post: EditedPost | null;
	form: PostForm;
	save: SaveState;
	/** Why, where it is not saved. */
	message: string;
	/** When the server last had everything: milliseconds. */
	savedAt: number | null;
	/** What another tab or person saved meanwhile, and what both started from. */
	conflict: { theirs: EditedPost; form: PostForm; base: PostForm } | null;
};

/** The calls that writing needs. */
export type Server = {
	open(id: string): Promise<EditedPost>;
	/** Answers the post of this id where it is there already. */
	create(id: string, form: PostForm): Promise<EditedPost>;
	update(
		id: string,
		form: PostForm,
		version: number,
		draftVersion: number | null,
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
	update: (id, form, version, draftVersion) =>
		callAsAdmin(updatePost, { ...form, id, version, draftVersion }),
	draft: (id, form, version, baseVersion) =>
		callAsAdmin(saveDraft, { id, form, version, baseVersion }),
};

/** Milliseconds: after the last key until the device has it, until the server has it, and at most while typing goes on. */
export const DELAYS = { device: 300, server: 2000, longest: 10_000 } as const;
/** Milliseconds until the server is tried again, longer each time. */
export const RETRIES = [3000, 6000, 15_000, 30_000] as const;

/** Codes of a call that came to nothing: after any other failure it may have been done. */
const UNDONE = new Set<string>([
	'validation',
	'too_large',
	'unauthorized',
	'forbidden',
	'not_found',
	'conflict',
	'rate_limited',
] satisfies ErrorCode[]);
/** How many forms without an answer are remembered. */
const MAX_IN_FLIGHT = 50;
const CHOOSE = 'Choose between the two versions first.';

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

/**
 * Writing one post: every change is kept on the device at once and saved to the server as a draft soon after. Nothing
 * that was typed is given up, whatever the server answers.
 */
export function startWriting(
	start: {
		/** As the server has it. */
		post: EditedPost | null;
		/** What to go on with. */
		form: PostForm;
		/** Key of the device's copy that `form` comes from. */
		copy?: string;
	},
	tools: {
		server: Server;
		device: CopyStore;
		/** Tells this writing's copies from those of any other. */
		session: string;
	},
) {
	const { server, device, session } = tools;
	let saved = start.post ? workingForm(start.post) : emptyForm;
	let draftVersion = start.post?.draft?.version ?? null;
	let baseVersion = start.post?.draft?.baseVersion ?? start.post?.version ?? 1;
	/** A new post as it was sent first, while nobody knows whether it arrived. */
	let pendingCreate: { id: string; form: PostForm } | null = null;
	/** What was sent since the server last answered, and the form at that time: the server may have any of it. */
	let inFlightForms: { whole: PostForm; form: PostForm }[] = [];
	let lastStoredForm: PostForm | null = null;
	let deviceTimer: ReturnType<typeof setTimeout> | undefined;
	let serverTimer: ReturnType<typeof setTimeout> | undefined;
	let waitingSince: number | null = null;
	let tries = 0;
	/** One call at a time. */
	let running: Promise<void> | null = null;
	let stopped = false;

	const state = atom<Writing>({
		post: start.post,
		form: start.form,
		save: 'saved',
		message: '',
		savedAt: null,
		conflict: null,
	});
	const change = (changes: Partial<Writing>) => state.set({ ...state.get(), ...changes });
	const keyOf = (post: EditedPost | null) => `${post?.id ?? 'new'}|${session}`;
	const isDirty = () => !sameForm(state.get().form, saved);

	/** Takes a change of the form. */
	function edit(changes: Partial<PostForm>): void {
		const { form, conflict, save } = state.get();
		const next = { ...form, ...changes };
		if (sameForm(next, form)) return;
		/** Until somebody chooses or signs in: asked again and again, nobody could write. */
		const waits = conflict !== null || save === 'signed-out';
		change({ form: next, ...(!waits && { save: 'unsaved', message: '' }) });
		clearTimeout(deviceTimer);
		deviceTimer = setTimeout(() => void saveToDevice(), DELAYS.device);
		if (!waits) plan(DELAYS.server);
	}

	async function saveToDevice(): Promise<void> {
		clearTimeout(deviceTimer);
		const { form, post } = state.get();
		if (lastStoredForm === form || !isDirty()) return;
		try {
			await device.save(keyOf(post), { postId: post?.id ?? null, form, at: Date.now() });
			lastStoredForm = form;
		} catch {
			// Private windows may refuse: then the server alone keeps it, and leaving the page warns.
		}
	}

	function plan(delay: number): void {
		const { conflict, save } = state.get();
		if (conflict || stopped) return;
		waitingSince ??= Date.now();
		clearTimeout(serverTimer);
		const longest = Math.max(0, waitingSince + DELAYS.longest - Date.now());
		// While the server fails its next try is set: typing does not hurry it.
		serverTimer = setTimeout(
			() => void flush(),
			save === 'kept' && tries > 0 ? delay : Math.min(delay, longest),
		);
	}

	/** Saves now what is not saved: to the device, then to the server as a draft. */
	async function flush(): Promise<void> {
		clearTimeout(serverTimer);
		await saveToDevice();
		while (running) await running;
		if (state.get().conflict || !isDirty()) return;
		await run(async () => {
			const { post, form } = state.get();
			if (!post) {
				await create();
				return confirm(saved);
			}
			remember(form);
			const { version } = await server.draft(post.id, form, draftVersion, baseVersion);
			draftVersion = version;
			return confirm(form);
		}).catch(() => undefined);
	}

	/** Saves all that was typed, before the server changes the post by another call. Rejects where that cannot be. */
	async function settle(): Promise<void> {
		do await flush();
		while (isDirty() && state.get().save === 'unsaved');
		const { conflict, message } = state.get();
		if (conflict) throw new AppError('conflict', CHOOSE);
		if (isDirty()) throw new AppError('unavailable', message);
	}

	/**
	 * Saves to the post itself, with some changes; drafts become what everybody reads where it is published. A `conflict`
	 * while there are two versions to choose from.
	 */
	async function submit(changes: Partial<PostForm>): Promise<EditedPost> {
		clearTimeout(serverTimer);
		await saveToDevice();
		while (running) await running;
		if (state.get().conflict) throw new AppError('conflict', CHOOSE);
		const isNew = !state.get().post;
		try {
			return await save(changes, isNew);
		} catch (error) {
			// The version was our own after all: now it is known.
			const { post, conflict, save: stands } = state.get();
			const isKnown = stands === 'saved' || stands === 'unsaved';
			if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
			if (!post || conflict || !isKnown) throw error;
			return save(changes, true);
		}
	}

	/** `maybeDone` where the server may have all of it already: then nothing is saved twice. */
	async function save(changes: Partial<PostForm>, maybeDone: boolean): Promise<EditedPost> {
		let answer: EditedPost | undefined;
		await run(async () => {
			if (!state.get().post) await create();
			const { form } = state.get();
			const post = state.get().post!;
			// Public or not is changed by nothing but what says so.
			const whole = { ...form, published: post.form.published, ...changes };
			if (maybeDone && !post.draft && isMadeOf(post.form, whole)) answer = post;
			else {
				remember(whole);
				answer = await server.update(post.id, whole, post.version, draftVersion);
				await adopt(answer, form);
			}
			await confirm(saved);
		});
		return answer!;
	}

	/**
	 * Makes the post on the server, as a draft. Where the answer was lost the very same is sent again, so that there is
	 * one post of it and nobody guesses which words it has.
	 */
	async function create(): Promise<void> {
		pendingCreate ??= { id: crypto.randomUUID(), form: state.get().form };
		const { id, form } = pendingCreate;
		const post = await server.create(id, { ...form, published: false }).catch((error: unknown) => {
			if (error instanceof AppError && UNDONE.has(error.code)) pendingCreate = null;
			throw error;
		});
		pendingCreate = null;
		if (post.version === 1 && !post.draft) return adopt(post, form);
		// Somebody wrote in it before its answer came.
		saved = form;
		lastStoredForm = null;
		change({ post });
		await takeOver(keyOf(null));
		throw new AppError('conflict', CHOOSE);
	}

	function remember(whole: PostForm): void {
		inFlightForms = [...inFlightForms, { whole, form: state.get().form }].slice(-MAX_IN_FLIGHT);
	}

	/** The server's post as it is now; what was typed since `sent` stays. */
	async function adopt(post: EditedPost, sent: PostForm): Promise<void> {
		const { form, post: before } = state.get();
		saved = workingForm(post);
		draftVersion = post.draft?.version ?? null;
		baseVersion = post.draft?.baseVersion ?? post.version;
		const typed = Object.fromEntries(
			Object.entries(form).filter(
				([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name as keyof PostForm]),
			),
		);
		// A day that is planned for a draft is the draft's alone.
		const planned = !saved.published && !saved.publishedAt && { publishedAt: sent.publishedAt };
		change({ post, form: { ...saved, ...planned, ...typed } });
		if (keyOf(before) !== keyOf(post)) {
			lastStoredForm = null;
			await device.remove(keyOf(before)).catch(() => undefined);
		}
	}

	/** The server has this form. */
	async function confirm(form: PostForm): Promise<void> {
		saved = form;
		inFlightForms = [];
		tries = 0;
		waitingSince = null;
		if (isDirty()) {
			change({ save: 'unsaved', message: '' });
			plan(DELAYS.server);
			return;
		}
		change({ save: 'saved', message: '', savedAt: Date.now() });
		lastStoredForm = null;
		await device.remove(keyOf(state.get().post)).catch(() => undefined);
	}

	async function run(work: () => Promise<void>): Promise<void> {
		change({ save: 'saving', message: '' });
		const turn = work().catch(async (error: unknown) => {
			await fail(error);
			throw error;
		});
		running = turn.catch(() => undefined).finally(() => (running = null));
		await turn;
	}

	async function fail(error: unknown): Promise<void> {
		const code = error instanceof AppError ? error.code : 'unknown';
		const message = messageOf(error);
		const { post } = state.get();
		switch (code) {
			case 'conflict':
				if (post) return handleConflict(post.id);
				return change({ save: 'refused', message });
			case 'unauthorized':
				return change({ save: 'signed-out', message: 'Sign in to save it on the server.' });
			case 'validation':
			case 'too_large':
			case 'forbidden':
			case 'not_found':
				return change({ save: 'refused', message });
			case 'network':
			case 'timeout':
			case 'rate_limited':
			case 'server':
			case 'upstream':
			case 'unavailable':
			case 'unknown':
				change({ save: 'kept', message });
				return plan(RETRIES[Math.min(tries++, RETRIES.length - 1)]!);
		}
	}

	/** Another version is there: if it says something else, and not what was sent from here, the writer chooses. */
	async function handleConflict(id: string): Promise<void> {
		const theirs = await server.open(id).catch(() => null);
		if (!theirs) {
			change({ save: 'kept', message: 'This post was changed elsewhere.' });
			return plan(RETRIES[0]);
		}
		const base = saved;
		const form = workingForm(theirs);
		const own = sameForm(form, state.get().form)
			? state.get()
			: inFlightForms.findLast(({ whole }) => isMadeOf(theirs.draft?.form ?? theirs.form, whole));
		if (own) {
			await adopt(theirs, own.form);
			return confirm(saved);
		}
		change({ save: 'conflict', message: '', conflict: { theirs, form, base } });
	}

	/** Ends a conflict with this form, which is saved over theirs. */
	async function resolve(form: PostForm): Promise<void> {
		const { conflict } = state.get();
		if (!conflict) return;
		const { theirs } = conflict;
		saved = conflict.form;
		draftVersion = theirs.draft?.version ?? null;
		baseVersion = theirs.version;
		lastStoredForm = null;
		change({ post: theirs, form, conflict: null, save: 'unsaved' });
		if (isDirty()) await flush();
		else await confirm(form);
	}

	/** Takes a post that was changed on the server by another call: restored, unpublished, deleted. */
	async function replaceFromServer(post: EditedPost): Promise<void> {
		change({ form: workingForm(post) });
		await adopt(post, state.get().form);
		await confirm(saved);
	}

	/** Whether something typed is neither on the server nor on this device: closing the page would lose it. */
	function atRisk(): boolean {
		return isDirty() && lastStoredForm !== state.get().form;
	}

	/** Ends the timers; what is not saved is saved a last time. */
	async function stop(): Promise<void> {
		clearTimeout(deviceTimer);
		await flush();
		stopped = true;
		clearTimeout(serverTimer);
	}

	/** Gives up the copy that this goes on with, once its words are kept anew. */
	async function takeOver(copy: string): Promise<void> {
		await saveToDevice();
		if (!atRisk()) await device.remove(copy).catch(() => undefined);
	}

	// A copy that was taken over is not saved anywhere else.
	if (isDirty()) {
		change({ save: 'unsaved' });
		plan(DELAYS.server);
	}
	if (start.copy) void takeOver(start.copy);

	return {
		state,
		edit,
		flush,
		settle,
		submit,
		resolve,
		take: replaceFromServer,
		atRisk,
		isDirty,
		stop,
	};
}

export type WritingStore = ReturnType<typeof startWriting>;
