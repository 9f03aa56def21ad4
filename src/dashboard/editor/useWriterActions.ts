import { useRef, useState, type RefObject } from 'react';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import {
	createPreview,
	deletePost,
	discardDraft,
	getEditedPost,
	settleOffer,
	type EditedPost,
} from '#src/features/posts/editing.api.ts';
import type { ChangeNotice } from '#src/features/posts/changes.ts';
import { MISSING, type PostForm } from '#src/features/posts/editing.ts';
import type { LetterView } from '#src/features/newsletter/letters.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { copyText } from '#src/lib/clipboard.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import type { SurfaceHandle } from '#src/dashboard/editor/surface/Surface.tsx';
import { mailArticle } from '#src/dashboard/editor/mailing/mail-article.store.ts';
import type { Telling } from '#src/dashboard/editor/mailing/mailing.ts';
import type { Publication } from '#src/dashboard/editor/publishing/Timeline.tsx';
import type { WritingStore } from '#src/dashboard/editor/writing/writing.store.ts';

export type Panel = 'publish' | 'update' | 'revisions' | 'source' | 'help' | 'file' | 'link';
export type WriterActions = ReturnType<typeof useWriterActions>;

/** Fields whose change readers may be told of. */
const TOLD = ['title', 'excerpt', 'content'] as const;

type Kind = 'saving' | 'publishing';
type Turn = { kind: Kind; done: Promise<unknown>; asked: Partial<PostForm> | null };

/** Returns the actions on the post that is written, and their state. */
export function useWriterActions({
	writing,
	surface,
	onLack,
	onDeleted,
}: {
	writing: WritingStore;
	surface: RefObject<SurfaceHandle | null>;
	/** Shows the first field that publishing lacks. */
	onLack: (name: keyof typeof MISSING) => void;
	onDeleted: (id: string) => void;
}) {
	const [panel, setPanel] = useState<Panel | null>(null);
	const [busy, setBusy] = useState<Kind | null>(null);
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [refusal, setRefusal] = useState<string>();
	/** A link to the preview that could not be copied. */
	const [link, setLink] = useState('');
	/** The letter that the post goes out as. */
	const [letter, setLetter] = useState<LetterView | null>(null);
	const [publication, setPublication] = useState<Publication | null>(null);

	/** The save that runs, and what it was asked to save once more meanwhile. */
	const turn = useRef<Turn | null>(null);

	/**
	 * Saves to the post. Returns it, or null where that failed and was said, or where another save goes first: pressed
	 * while one runs, Save saves once more afterwards.
	 */
	async function save(
		changes: Partial<PostForm>,
		kind: Kind,
		notice?: ChangeNotice,
	): Promise<EditedPost | null> {
		while (turn.current) {
			if (turn.current.kind === 'publishing' && kind === 'publishing') return null;
			if (kind === 'saving') {
				turn.current.asked = { ...turn.current.asked, ...changes };
				return null;
			}
			await turn.current.done;
		}
		const done = saveOnce(changes, kind, notice);
		const own: Turn = (turn.current = { kind, done, asked: null });
		const saved = await done;
		turn.current = null;
		if (!saved || !own.asked) return saved;
		surface.current?.sync();
		const isMore = writing.isDirty() || Object.keys(own.asked).length > 0;
		return isMore ? save(own.asked, 'saving') : saved;
	}

	async function saveOnce(
		changes: Partial<PostForm>,
		kind: Kind,
		notice: ChangeNotice | undefined,
	): Promise<EditedPost | null> {
		surface.current?.sync();
		setBusy(kind);
		setErrors({});
		setRefusal(undefined);
		const { post: before } = writing.state.get();
		try {
			const saved = await writing.submit(changes, notice);
			if (isPublic(before) && !isPublic(saved)) {
				toast({
					title: 'Unpublished',
					description: 'It is a draft now. Readers no longer see it.',
					action: { label: 'Undo', run: () => void save({ published: true }, 'publishing') },
				});
			} else {
				toast({
					title: before ? 'Post updated' : 'Post created',
					...(!isPublic(before) && isPublic(saved) && { description: publicWords(saved) }),
				});
			}
			watchBuild(saved, isPublic(before));
			return saved;
		} catch (error) {
			if (writing.state.get().conflict) setPanel(null);
			else {
				setErrors((error instanceof AppError && error.fields) || {});
				setRefusal(messageOf(error));
			}
			toast({ title: 'Failed to save post', description: messageOf(error), destructive: true });
			return null;
		} finally {
			setBusy(null);
		}
	}

	/** Follows a change to the public page. */
	function watchBuild(saved: EditedPost, wasPublic: boolean) {
		const { path } = saved;
		const savedAt = Date.parse(saved.savedAt);
		if (saved.state === 'published') setPublication({ savedAt, path, digest: saved.digest });
		else if (wasPublic && saved.state !== 'scheduled')
			setPublication({ savedAt, path, digest: null });
	}

	/** Publishes the post, and sends it by mail as was chosen. */
	async function publish(publishedAt: string, telling: Telling) {
		const saved = await save({ published: true, publishedAt }, 'publishing');
		if (!saved) return;
		setPanel(null);
		await mail(saved, telling);
	}

	/** Sends a post that was published by mail; a failure leaves it published, and can be tried again. */
	async function mail(post: EditedPost, telling: Telling) {
		setLetter(null);
		try {
			setLetter(await mailArticle(post, telling));
		} catch (error) {
			toast({
				title: 'Published, but the choice about mail and networks is not stored',
				description: messageOf(error),
				destructive: true,
				action: { label: 'Try again', run: () => void mail(post, telling) },
			});
		}
	}

	/** Updates the public post, and tells its readers or not. */
	async function update(notice: ChangeNotice) {
		const saved = await save({}, 'publishing', notice);
		if (saved) setPanel(null);
	}

	/**
	 * Updates a public post, after asking whether readers are told if its words changed; asks when to publish another one,
	 * unless something is missing.
	 */
	function updateOrPublish() {
		surface.current?.sync();
		const { post, form } = writing.state.get();
		const isReworded = TOLD.some((name) => form[name] !== post?.form[name]);
		setRefusal(undefined);
		if (post?.state === 'published' && isReworded) return setPanel('update');
		if (isPublic(post)) return void save({}, 'publishing');
		const lacks = (['title', 'categoryId'] as const).filter((name) => !form[name].trim());
		setErrors(Object.fromEntries(lacks.map((name) => [name, MISSING[name]])));
		if (lacks[0]) onLack(lacks[0]);
		else setPanel('publish');
	}

	/** Shows the draft in another tab, or copies a link to it; shows the link where that does not work. */
	async function preview(copy: boolean) {
		surface.current?.sync();
		// Opened at once: a window that opens later is kept from opening.
		const tab = copy ? null : window.open('', '_blank');
		try {
			await writing.flush();
			const { post } = writing.state.get();
			if (!post) throw new AppError('validation', 'Write something first.');
			const { url } = await callAsAdmin(createPreview, { id: post.id });
			if (tab) tab.location.replace(url);
			else {
				const { href } = new URL(url, location.href);
				if (await copyText(href)) {
					toast({ title: 'Link copied!', description: 'It shows this draft for seven days.' });
				} else {
					setLink(href);
					setPanel('link');
				}
			}
		} catch (error) {
			tab?.close();
			toast({ title: 'No preview', description: messageOf(error), destructive: true });
		}
	}

	async function remove() {
		const { post } = writing.state.get();
		if (!post) return;
		try {
			await writing.flush();
			await callAsAdmin(deletePost, { id: post.id });
			onDeleted(post.id);
		} catch (error) {
			toast({ title: 'Failed to delete post', description: messageOf(error), destructive: true });
		}
	}

	async function saveAll() {
		surface.current?.sync();
		await writing.saveAll();
	}

	async function discard() {
		const { post } = writing.state.get();
		if (!post) return;
		try {
			await saveAll();
			await callAsAdmin(discardDraft, { id: post.id });
			await writing.replaceFromServer(await callAsAdmin(getEditedPost, { id: post.id }));
			toast({ title: 'Changes discarded', description: 'An earlier version keeps them.' });
		} catch (error) {
			toast({ title: 'Nothing was discarded', description: messageOf(error), destructive: true });
		}
	}

	/** Takes fields of the newer file, or none, and ends its offer. */
	async function resolveFile(taken: Partial<PostForm>) {
		const { post } = writing.state.get();
		if (!post) return;
		try {
			surface.current?.sync();
			writing.edit(taken);
			await writing.saveAll();
			const { undo } = await callAsAdmin(settleOffer, { id: post.id });
			await writing.refresh();
			const title = Object.keys(taken).length > 0 ? 'Taken into the draft' : 'Yours is kept';
			tellUndoable({ title }, undo, () => void writing.refresh());
		} catch (error) {
			toast({
				title: 'The file is still offered',
				description: messageOf(error),
				destructive: true,
			});
		}
	}

	function restore(post: EditedPost) {
		setPanel(null);
		void writing.replaceFromServer(post);
		toast({ title: 'Version restored', description: 'It is the draft now.' });
	}

	function showSource() {
		surface.current?.sync();
		setPanel('source');
	}

	function clearErrors(changed: readonly string[]) {
		if (changed.some((name) => errors[name])) setErrors({});
	}

	return {
		panel,
		setPanel,
		busy,
		errors,
		clearErrors,
		refusal,
		link,
		publication,
		setPublication,
		letter,
		save,
		publish,
		update,
		updateOrPublish,
		preview,
		remove,
		saveAll,
		discard,
		resolveFile,
		restore,
		showSource,
	};
}

/** Returns in words that a post went public, now or at its time. */
function publicWords({ state, publishedAt }: EditedPost): string {
	if (state === 'published') return 'It is published. Its page follows in a moment.';
	return `It will be published ${new Date(publishedAt!).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })}.`;
}

/** Whether readers see the post, now or at its time. */
export function isPublic(post: EditedPost | null): boolean {
	return post?.state === 'published' || post?.state === 'scheduled';
}
