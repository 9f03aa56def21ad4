import './editor.css';
import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { beforeSignOut, callAsAdmin } from '#src/core/session/session.store.ts';
import type { Category } from '#src/features/categories/category.ts';
import {
	createPreview,
	deletePost,
	discardDraft,
	getEditedPost,
	type EditedPost,
} from '#src/features/posts/editing.api.ts';
import {
	limitOf,
	minutesOf,
	MISSING,
	POST_LIMITS,
	type PostForm,
} from '#src/features/posts/editing.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { grouped, plural, textLength } from '#src/lib/text.ts';
import { useAdvice } from './Checklist.tsx';
import { Details } from './Details.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { MergeView } from './MergeView.tsx';
import { PostBadge } from './PostBadge.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import { Revisions } from './Revisions.tsx';
import { SaveStatus } from './SaveStatus.tsx';
import { SourceDialog } from './SourceDialog.tsx';
import { Surface, type SurfaceHandle } from './Surface.tsx';
import { Timeline, type Publication } from './Timeline.tsx';
import { ago } from './times.ts';
import type { WritingStore } from './writing/writing.store.ts';

type Props = {
	writing: WritingStore;
	categories: readonly Category[];
	/** Leaves the post for a new one. */
	onCancel: () => void;
	/** The post is gone; it can be restored. */
	onDeleted: (id: string) => void;
};

type Panel = 'publish' | 'revisions' | 'source' | 'help';

/** Writing one post, from the first word to its page. */
export function Writer({ writing, categories, onCancel, onDeleted }: Props) {
	const state = useStore(writing.state);
	const { post, form, conflict } = state;
	const root = useRef<HTMLDivElement>(null);
	const title = useRef<HTMLTextAreaElement>(null);
	const surface = useRef<SurfaceHandle>(null);
	const given = useRef(form.content);
	const menu = useRef<HTMLDivElement>(null);
	const [panel, setPanel] = useState<Panel | null>(null);
	const [busy, setBusy] = useState<'saving' | 'publishing' | null>(null);
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [refusal, setRefusal] = useState<string>();
	const [publication, setPublication] = useState<Publication | null>(null);

	const characters = textLength(form.content);
	const mostCharacters = limitOf(POST_LIMITS.content, textLength(post?.form.content ?? ''));
	const advice = useAdvice(form);
	const hasCome = useHasCome(post?.state === 'scheduled' ? post.publishedAt : null);
	const isPublic = post?.state === 'published' || post?.state === 'scheduled';
	const hasDraft =
		post !== null &&
		(writing.isDirty() || post.draft !== null || post.form.content !== form.content);

	// Another article than the one that was typed here: merged, restored, cleaned by the server.
	useEffect(() => {
		if (form.content === given.current) return;
		given.current = form.content;
		surface.current?.set(form.content);
	}, [form.content]);

	useEffect(() => {
		if (post === null && !writing.isDirty() && !isByKeyboard()) title.current?.focus();
	}, [writing]);
	useEffect(() => {
		if (!post?.publishedAt || !hasCome) return;
		const { path, digest } = post;
		setPublication({ savedAt: Date.parse(post.publishedAt), path, digest });
	}, [hasCome]);

	function edit(changes: Partial<PostForm>) {
		if (changes.content !== undefined) given.current = changes.content;
		for (const name of Object.keys(changes)) if (errors[name]) setErrors({});
		writing.edit(changes);
	}

	/** Saves to the post. Answers it, or null where that failed and was said. */
	async function save(changes: Partial<PostForm>, kind: 'saving' | 'publishing') {
		if (busy) return null;
		surface.current?.sync();
		setBusy(kind);
		setErrors({});
		setRefusal(undefined);
		const isNew = post === null;
		try {
			const saved = await writing.submit(changes);
			toast({ title: isNew ? 'Post created' : 'Post updated' });
			watch(saved, isPublic);
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
	function watch(saved: EditedPost, wasPublic: boolean) {
		const { path } = saved;
		const savedAt = Date.parse(saved.updatedAt);
		if (saved.state === 'published') setPublication({ savedAt, path, digest: saved.digest });
		else if (wasPublic && saved.state !== 'scheduled')
			setPublication({ savedAt, path, digest: null });
	}

	async function publish(publishedAt: string) {
		const saved = await save({ published: true, publishedAt }, 'publishing');
		if (saved) setPanel(null);
	}

	function primary() {
		surface.current?.sync();
		if (isPublic) return void save({}, 'publishing');
		const lacks = (['title', 'categoryId'] as const).filter((name) => !form[name].trim());
		setErrors(Object.fromEntries(lacks.map((name) => [name, MISSING[name]])));
		setRefusal(undefined);
		if (lacks.length === 0) setPanel('publish');
		else if (lacks[0] === 'title') title.current?.focus();
		else root.current?.querySelector<HTMLElement>('.editor-side select')?.focus();
	}

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
				await navigator.clipboard.writeText(new URL(url, location.href).href);
				toast({ title: 'Link copied!', description: 'It shows this draft for seven days.' });
			}
		} catch (error) {
			tab?.close();
			toast({ title: 'No preview', description: messageOf(error), destructive: true });
		}
	}

	async function remove() {
		if (!post) return;
		try {
			await writing.flush();
			await callAsAdmin(deletePost, { id: post.id });
			onDeleted(post.id);
		} catch (error) {
			toast({ title: 'Failed to delete post', description: messageOf(error), destructive: true });
		}
	}

	async function settle() {
		surface.current?.sync();
		await writing.settle();
	}

	async function discard() {
		if (!post) return;
		try {
			await settle();
			await callAsAdmin(discardDraft, { id: post.id });
			await writing.replaceFromServer(await callAsAdmin(getEditedPost, { id: post.id }));
			toast({ title: 'Changes discarded', description: 'An earlier version keeps them.' });
		} catch (error) {
			toast({ title: 'Nothing was discarded', description: messageOf(error), destructive: true });
		}
	}

	const actions = useRef({ primary, preview, save });
	actions.current = { primary, preview, save };
	useEffect(() => {
		function onKeyDown(event: KeyboardEvent) {
			const mod = event.ctrlKey || event.metaKey;
			if (!mod || event.altKey || document.querySelector('dialog[open]')) return;
			if (root.current?.closest('[hidden]')) return;
			const key = event.key.toLowerCase();
			if (key !== '/' && writing.state.get().conflict) {
				// First it is chosen what there is to save.
				if (key === 's') event.preventDefault();
				return;
			}
			if (key === 's' && !event.shiftKey) void actions.current.save({}, 'saving');
			else if (key === 'enter' && event.shiftKey) actions.current.primary();
			else if (key === 'p' && event.shiftKey) void actions.current.preview(false);
			else if (key === '/') setPanel('help');
			else return;
			event.preventDefault();
		}
		async function saveAll() {
			surface.current?.sync();
			await writing.flush();
		}
		const onHide = () => void saveAll();
		function onLeave(event: BeforeUnloadEvent) {
			surface.current?.sync();
			if (writing.atRisk()) event.preventDefault();
		}
		const onOnline = () => void writing.flush();
		beforeSignOut.add(saveAll);
		document.addEventListener('keydown', onKeyDown);
		document.addEventListener('visibilitychange', onHide);
		addEventListener('online', onOnline);
		addEventListener('beforeunload', onLeave);
		return () => {
			beforeSignOut.delete(saveAll);
			document.removeEventListener('keydown', onKeyDown);
			document.removeEventListener('visibilitychange', onHide);
			removeEventListener('online', onOnline);
			removeEventListener('beforeunload', onLeave);
		};
	}, [writing]);

	const words = form.content
		.replace(/<[^>]*>/g, ' ')
		.split(/\s+/)
		.filter(Boolean).length;
	const menuItem = (label: string, run: () => void, danger = false) => (
		<button
			type="button"
			className={danger ? 'text-danger' : undefined}
			onClick={() => {
				menu.current?.hidePopover();
				run();
			}}
		>
			{label}
		</button>
	);

	return (
		<div ref={root} className="editor">
			<div className="editor-bar">
				<div className="editor-state">
					{post && <PostBadge state={hasCome ? 'published' : post.state} />}
					{isPublic && hasDraft && <span className="label">with unpublished changes</span>}
					<SaveStatus writing={state} onRetry={() => void writing.flush()} />
				</div>
				<div className="editor-actions" hidden={conflict !== null}>
					{post && (
						<Button variant="quiet" onClick={onCancel}>
							Cancel
						</Button>
					)}
					<Button variant="quiet" onClick={() => void preview(false)}>
						Preview
					</Button>
					{!isPublic && (
						<Button
							variant="quiet"
							busy={busy === 'saving'}
							onClick={() => void save({}, 'saving')}
						>
							Save draft
						</Button>
					)}
					<Button busy={busy === 'publishing'} onClick={primary}>
						{isPublic ? (busy ? 'Updating…' : 'Update') : 'Publish…'}
					</Button>
					<button
						type="button"
						className="icon-button editor-more"
						aria-label="More actions"
						popoverTarget="editor-menu"
					>
						<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
							<path
								d="M5 12h.5M12 12h.5M19 12h.5"
								stroke="currentColor"
								strokeWidth="3"
								strokeLinecap="round"
							/>
						</svg>
					</button>
					<div ref={menu} id="editor-menu" popover="auto" className="editor-menu">
						{menuItem('Copy preview link', () => void preview(true))}
						{post && menuItem('Earlier versions', () => setPanel('revisions'))}
						{menuItem('HTML of the article', () => {
							surface.current?.sync();
							setPanel('source');
						})}
						{menuItem('Keyboard shortcuts', () => setPanel('help'))}
						{post && hasDraft && isPublic && menuItem('Discard changes', () => void discard())}
						{isPublic && menuItem('Unpublish', () => void save({ published: false }, 'saving'))}
						{post && menuItem('Delete', () => void remove(), true)}
					</div>
				</div>
			</div>
			{publication && <Timeline publication={publication} />}
			{conflict ? (
				<MergeView
					key={form.content}
					mine={form}
					theirs={conflict.form}
					base={conflict.base}
					origin={`Another one was saved ${ago(
						Date.parse(conflict.theirs.draft?.updatedAt ?? conflict.theirs.updatedAt),
						Date.now(),
					)}, in another tab or by somebody else`}
					categories={new Map(categories.map(({ id, name }) => [id, name]))}
					onDone={(merged) => void writing.resolve(merged)}
				/>
			) : (
				<div className="editor-columns">
					<div className="editor-paper">
						<textarea
							ref={title}
							className="editor-title"
							aria-label="Title"
							placeholder="Title"
							rows={1}
							value={form.title}
							maxLength={POST_LIMITS.title}
							aria-invalid={errors['title'] !== undefined}
							onChange={(event) => edit({ title: event.currentTarget.value.replace(/\n/g, ' ') })}
							onKeyDown={(event) => {
								if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
								if (event.nativeEvent.isComposing) return;
								event.preventDefault();
								surface.current?.focus();
							}}
						/>
						{errors['title'] && (
							<p role="alert" className="field-error">
								{errors['title']}
							</p>
						)}
						<textarea
							className="editor-excerpt"
							aria-label="Excerpt"
							aria-describedby="excerpt-count"
							placeholder="An excerpt: what a card or a list says about it"
							rows={1}
							value={form.excerpt}
							maxLength={POST_LIMITS.excerpt}
							onChange={(event) => edit({ excerpt: event.currentTarget.value.replace(/\n/g, ' ') })}
						/>
						<p id="excerpt-count" className="editor-count label">
							{form.excerpt.length} of {POST_LIMITS.excerpt}
						</p>
						<Surface
							ref={surface}
							content={form.content}
							onChange={(content) => edit({ content })}
							takesTitle={() => writing.state.get().form.title.trim() === ''}
							onTitle={(title) => edit({ title: title.slice(0, POST_LIMITS.title) })}
							onSource={() => {
								surface.current?.sync();
								setPanel('source');
							}}
							onHelp={() => setPanel('help')}
						/>
						<p className="editor-words label">
							{plural(words, 'word')}
							{words > 0 && ` · ${minutesOf(form)} min read`}
							{characters > mostCharacters * 0.9 &&
								` · ${grouped(characters)} of ${grouped(mostCharacters)} characters`}
						</p>
						{errors['content'] && (
							<p role="alert" className="field-error">
								{errors['content']}
							</p>
						)}
					</div>
					<Details
						form={form}
						categories={categories}
						advice={advice}
						errors={errors}
						onEdit={edit}
					/>
				</div>
			)}
			<PublishDialog
				open={panel === 'publish'}
				form={form}
				advice={advice}
				busy={busy === 'publishing'}
				error={refusal}
				onClose={() => setPanel(null)}
				onPublish={(publishedAt) => void publish(publishedAt)}
			/>
			{post && (
				<Revisions
					open={panel === 'revisions'}
					postId={post.id}
					form={form}
					onClose={() => setPanel(null)}
					settle={settle}
					onRestore={(restored) => {
						setPanel(null);
						void writing.replaceFromServer(restored);
						toast({ title: 'Version restored', description: 'It is the draft now.' });
					}}
				/>
			)}
			<SourceDialog
				title="HTML of the article"
				html={panel === 'source' ? form.content : null}
				onClose={() => setPanel(null)}
				onApply={(html) => {
					setPanel(null);
					surface.current?.set(html);
					edit({ content: html });
				}}
			/>
			<HelpDialog open={panel === 'help'} onClose={() => setPanel(null)} />
		</div>
	);
}

/** Longest delay of a timer, in milliseconds. */
const MAX_DELAY = 2 ** 31 - 1;

/** Whether a time that lay ahead has come while this is open. */
function useHasCome(time: string | null): boolean {
	const [come, setCome] = useState<string | null>(null);
	useEffect(() => {
		const delay = time === null ? Infinity : Math.max(0, Date.parse(time) - Date.now());
		if (delay > MAX_DELAY) return;
		const timer = setTimeout(() => setCome(time), delay);
		return () => clearTimeout(timer);
	}, [time]);
	return time !== null && come === time;
}

/** Whether somebody goes by keyboard from place to place: then the focus is theirs. */
function isByKeyboard(): boolean {
	return document.querySelector(':focus-visible') !== null;
}
