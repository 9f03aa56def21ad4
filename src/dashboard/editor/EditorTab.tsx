import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { openTab } from '#src/dashboard/kit/address.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { listCategories } from '#src/features/categories/categories.api.ts';
import type { Category } from '#src/features/categories/category.ts';
import { getEditedPost, restorePost, type EditedPost } from '#src/features/posts/editing.api.ts';
import { emptyForm, type PostForm } from '#src/features/posts/editing.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { copiesOf, device, type Copy } from '#src/dashboard/editor/writing/device.ts';
import { MergeView } from '#src/dashboard/editor/versions/MergeView.tsx';
import { sameForm } from '#src/dashboard/editor/versions/merge.ts';
import { ago } from './times.ts';
import { Writer } from './Writer.tsx';
import { workingForm } from '#src/dashboard/editor/writing/machine.ts';
import { server } from '#src/dashboard/editor/writing/saving.store.ts';
import { startWriting, type WritingStore } from '#src/dashboard/editor/writing/writing.store.ts';

/** Takes a deletion back, and goes on with the post. */
async function restore(id: string): Promise<void> {
	try {
		await callAsAdmin(restorePost, { id });
		openTab('create', { post: id });
		toast({ title: 'Post restored' });
	} catch (error) {
		toast({ title: 'Failed to restore post', description: messageOf(error), destructive: true });
	}
}

/** Create mode; edit mode where the address names a post. */
export function EditorTab() {
	const place = useQuery('create');
	const { query } = place;
	const postId = query['post'] ?? '';
	/** A new post that was saved goes on in the same editor. */
	const created = useRef('');
	const [shown, setShown] = useState({ postId, turn: 0 });
	const isBegun = postId === '' && created.current !== '';
	if (isBegun || (postId !== shown.postId && postId !== created.current)) {
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
	/** What this device has of it and the server has not. */
	copy: (Copy & { key: string }) | null;
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
	const [comparing, setComparing] = useState(false);

	async function load() {
		setError(undefined);
		try {
			const [post, categories, copies] = await Promise.all([
				postId ? callAsAdmin(getEditedPost, { id: postId }) : null,
				callAsAdmin(listCategories, {}),
				copiesOf(postId || null).catch(() => []),
			]);
			const form = post ? workingForm(post) : emptyForm;
			const copy = copies.find((one) => !sameForm(one.form, form)) ?? null;
			setLoaded({ post, categories, copy });
			if (!copy) start(post, form);
		} catch (problem) {
			setError(problem);
		}
	}
	useEffect(() => void load(), [postId]);

	function start(post: EditedPost | null, form: PostForm, copy?: string) {
		const session = crypto.randomUUID();
		setWriting(startWriting({ post, form, ...(copy && { copy }) }, { server, device, session }));
	}

	/** Forgets a copy for good, unless that is taken back at once; another one may be left to ask about. */
	async function throwAway({ key, ...copy }: Copy & { key: string }) {
		async function takeBack() {
			await device.store(key, copy);
			setWriting(undefined);
			await load();
		}
		await device.remove(key);
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
	const form = post ? workingForm(post) : emptyForm;

	if (!writing && copy) {
		const use = (chosen: PostForm) => start(post, chosen, copy.key);
		if (comparing)
			return (
				<MergeView
					mine={copy.form}
					theirs={form}
					base={form}
					origin={`Yours is from this device, ${ago(copy.at, Date.now())}; theirs is on the server`}
					categories={new Map(categories.map(({ id, name }) => [id, name]))}
					onDone={use}
					onCancel={() => setComparing(false)}
				/>
			);
		const isNewer = !post || copy.at > Date.parse(post.draft?.updatedAt ?? post.updatedAt);
		return (
			<div className="copy-offer frame">
				<p className="frame-label">kept on this device</p>
				<h2>{copy.form.title || 'Without a title'}</h2>
				<p>
					Something written {ago(copy.at, Date.now())} never reached the server.
					{post && !isNewer && ' What is on the server was saved after it.'}
				</p>
				<div className="mt-4 flex flex-wrap gap-3">
					<Button onClick={() => use(copy.form)}>Go on with it</Button>
					{post && (
						<Button variant="quiet" onClick={() => setComparing(true)}>
							Compare
						</Button>
					)}
					{!post && (
						<Button variant="quiet" onClick={() => start(post, form)}>
							Begin a new one
						</Button>
					)}
					<Button variant="quiet" onClick={() => void throwAway(copy)}>
						{post ? 'Use the one on the server' : 'Throw it away'}
					</Button>
				</div>
			</div>
		);
	}
	if (!writing) return <Skeleton label="Loading the editor" rows={5} />;

	return (
		<Writer
			writing={writing}
			categories={categories}
			onCancel={onNew}
			onDeleted={(id) => {
				onNew();
				openTab('posts');
				toast({
					title: 'Post deleted',
					description: 'It can be restored for 30 days: Manage Posts, Deleted.',
					action: { label: 'Undo', run: () => void restore(id) },
				});
			}}
		/>
	);
}
