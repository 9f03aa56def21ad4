import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { openScreen, returnToScreen, screenAddress } from '#src/dashboard/kit/address.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { listCategories } from '#src/features/categories/categories.api.ts';
import type { Category } from '#src/features/categories/category.ts';
import {
	deletePost,
	getEditedPost,
	restorePost,
	type EditedPost,
} from '#src/features/posts/editing.api.ts';
import { emptyForm, type PostForm } from '#src/features/posts/editing.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { randomId } from '#src/lib/random-id.ts';
import {
	findCopies,
	idOfCopy,
	localCopies,
	type FoundCopy,
} from '#src/dashboard/editor/writing/local-copies.ts';
import { sameForm } from '#src/dashboard/editor/versions/merge.ts';
import { CopyOffer } from './CopyOffer.tsx';
import { Writer } from './Writer.tsx';
import { isUntouched, workingForm } from '#src/dashboard/editor/writing/machine.ts';
import { server } from '#src/dashboard/editor/writing/saving.store.ts';
import { startWriting, type WritingStore } from '#src/dashboard/editor/writing/writing.store.ts';

/** Takes a deletion back, and goes on with the post. */
async function restore(id: string): Promise<void> {
	try {
		await callAsAdmin(restorePost, { id });
		openScreen('create', { post: id });
		toast({ title: 'Post restored' });
	} catch (error) {
		toast({ title: 'Failed to restore post', description: messageOf(error), destructive: true });
	}
}

/** Create mode; edit mode where the address names a post. */
export function EditorScreen() {
	const place = useQuery('create');
	const { query } = place;
	const postId = query['post'] ?? '';
	/** A new post that was saved goes on in the same editor. */
	const created = useRef('');
	const [shown, setShown] = useState({ postId, turn: 0 });
	const isBegun = postId === '' && created.current !== '';
	const isCreated = postId !== '' && postId === created.current;
	if (isBegun || (postId !== shown.postId && !isCreated)) {
		created.current = '';
		setShown({ postId, turn: shown.turn + 1 });
	}

	return (
		<EditorOf
			key={shown.turn}
			postId={shown.postId}
			onCreated={(id) => {
				created.current = id;
				place.set({ post: id }, 'replace');
			}}
			onNew={() => {
				created.current = '';
				setShown({ postId: '', turn: shown.turn + 1 });
				place.set({ post: '' });
			}}
		/>
	);
}

type Loaded = {
	post: EditedPost | null;
	categories: readonly Category[];
	/** This device's unsaved copy of the post. */
	copy: FoundCopy | null;
};

function EditorOf({
	postId,
	onCreated,
	onNew,
}: {
	postId: string;
	onCreated: (id: string) => void;
	onNew: () => void;
}) {
	const [loaded, setLoaded] = useState<Loaded>();
	const [error, setError] = useState<unknown>();
	const [writing, setWriting] = useState<WritingStore>();

	async function load() {
		setError(undefined);
		try {
			const [post, categories, copies] = await Promise.all([
				postId ? callAsAdmin(getEditedPost, { id: postId }) : null,
				callAsAdmin(listCategories, {}),
				findCopies(postId || null).catch(() => []),
			]);
			const form = post ? workingForm(post) : emptyForm;
			const copy = copies.find((one) => !sameForm(one.form, form)) ?? null;
			// Copies that the server has by now: after the next change they would be offered as unsaved.
			for (const one of copies)
				if (sameForm(one.form, form)) localCopies.remove(one.key).catch(() => {});
			setLoaded({ post, categories, copy });
			if (!copy) start(post, form);
		} catch (problem) {
			setError(problem);
		}
	}
	useEffect(() => void load(), [postId]);

	function start(post: EditedPost | null, form: PostForm, copy?: string) {
		// A copy of a new post may have reached the server: it goes on under the id that it was sent with.
		const session = (post ? undefined : copy && idOfCopy(copy)) ?? randomId();
		setWriting(
			startWriting({ post, form, ...(copy && { copy }) }, { server, device: localCopies, session }),
		);
	}

	/** Forgets a copy for good, unless that is taken back at once; another one may be left to ask about. */
	async function throwAway({ key, ...copy }: FoundCopy) {
		const id = copy.postId === null ? idOfCopy(key) : undefined;
		// Its first words may have reached the server although the answer never came.
		const sent = id && (await callAsAdmin(getEditedPost, { id }).catch(() => null));
		const isLeft = sent && isUntouched(sent) && !sent.deletedAt && !sent.form.published;
		if (isLeft) await callAsAdmin(deletePost, { id: sent.id });
		async function takeBack() {
			if (isLeft) await callAsAdmin(restorePost, { id: sent.id });
			await localCopies.save(key, copy);
			setWriting(undefined);
			await load();
		}
		await localCopies.remove(key);
		toast({
			title: 'Thrown away',
			description: 'This device no longer keeps it.',
			action: { label: 'Undo', run: () => void takeBack() },
		});
		await load();
	}

	useEffect(() => {
		if (!writing) return;
		const unbind = writing.state.subscribe(({ post }) => {
			if (post && post.id !== postId) onCreated(post.id);
		});
		return () => {
			unbind();
			void writing.stop();
		};
	}, [writing]);

	if (error) {
		const isGone = error instanceof AppError && error.code === 'not_found';
		return isGone ? (
			<div className="data-empty frame">
				<p className="frame-label">0 results</p>
				<p>This post is no longer there.</p>
				<Button className="mt-4" onClick={onNew}>
					Write a new one
				</Button>
			</div>
		) : (
			<SectionError message={messageOf(error)} onRetry={() => void load()} />
		);
	}
	if (!loaded) return <Skeleton label="Loading the editor" rows={5} />;
	const { post, categories, copy } = loaded;

	if (!writing && copy)
		return (
			<CopyOffer
				post={post}
				copy={copy}
				categories={categories}
				onUse={(form) => start(post, form, copy.key)}
				onBegin={() => start(null, emptyForm)}
				onThrowAway={() => void throwAway(copy)}
			/>
		);
	if (!writing) return <Skeleton label="Loading the editor" rows={5} />;

	return (
		<Writer
			writing={writing}
			categories={categories}
			onClose={() => {
				onNew();
				returnToScreen('posts');
			}}
			onDeleted={(id) => {
				onNew();
				returnToScreen('posts');
				toast({
					title: 'Post deleted',
					description: 'It can be restored for 30 days:',
					link: { label: 'deleted posts', href: screenAddress('posts', { state: 'deleted' }) },
					action: { label: 'Undo', run: () => void restore(id) },
				});
			}}
		/>
	);
}
