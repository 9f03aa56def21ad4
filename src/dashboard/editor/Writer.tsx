import { useStore } from '@nanostores/react';
import { useContext, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import type { Category } from '#src/features/categories/category.ts';
import { COPY_KEYS } from '#src/lib/clipboard.ts';
import type { PostForm } from '#src/features/posts/editing.ts';
import { UNCATEGORIZED } from '#src/features/posts/post.ts';
import { useAdvice } from './publishing/Checklist.tsx';
import { Details } from './publishing/Details.tsx';
import { writerActions } from './actions.ts';
import { HelpDialog } from './HelpDialog.tsx';
import { Conflict } from './versions/Conflict.tsx';
import { MergeView } from './versions/MergeView.tsx';
import { ArticlePreview } from './preview/ArticlePreview.tsx';
import { Paper } from './Paper.tsx';
import { fieldsBetween } from './versions/merge.ts';
import { OfferNote } from '#src/dashboard/records/OfferNote.tsx';
import { MailedNote } from './mailing/MailedNote.tsx';
import { PublishDialog } from './publishing/PublishDialog.tsx';
import { UpdateDialog } from './publishing/UpdateDialog.tsx';
import { Revisions } from './versions/Revisions.tsx';
import { SourceDialog } from './surface/SourceDialog.tsx';
import type { SurfaceHandle } from './surface/Surface.tsx';
import { Timeline } from './publishing/Timeline.tsx';
import { $offered, $view, setView } from './view.store.ts';
import type { WriterAction } from './writer-action.ts';
import { useWriterActions } from './useWriterActions.ts';
import { useWriterEvents } from './useWriterEvents.ts';
import { WriterBar } from './WriterBar.tsx';
import type { WritingStore } from './writing/writing.store.ts';
import { $folded } from '#src/dashboard/kit/folded.store.ts';
import { Visit } from '#src/dashboard/kit/useAnswer.ts';
import { PostFigures } from '#src/dashboard/visits/PostFigures.tsx';

type Props = {
	writing: WritingStore;
	categories: readonly Category[];
	/** Leaves the post for a new one. */
	onClose: () => void;
	/** The post is gone; it can be restored. */
	onDeleted: (id: string) => void;
};

/** Writing one post, from the first word to its page. */
export function Writer({ writing, categories: stored, onClose, onDeleted }: Props) {
	/** Categories that were made here. */
	const [made, setMade] = useState<Category[]>([]);
	const categories = [...stored, ...made];
	const state = useStore(writing.state);
	const { post, form, conflict } = state;
	const { focus: isFocused = false, preview: isPreviewed = false } = useStore($view);
	const visit = useContext(Visit);
	const root = useRef<HTMLDivElement>(null);
	const title = useRef<HTMLTextAreaElement>(null);
	const surface = useRef<SurfaceHandle>(null);
	const shownContent = useRef(form.content);
	const actions = useWriterActions({
		writing,
		surface,
		onLack: (name) => {
			showAll();
			if (name !== 'title') flushSync(() => $folded.set({ ...$folded.get(), Post: false }));
			if (name === 'title') title.current?.focus();
			else root.current?.querySelector<HTMLElement>('.editor-side select')?.focus();
		},
		onDeleted,
	});
	const { panel, setPanel, busy, errors, publication, setPublication } = actions;
	const offer = post?.offer ? { ...form, ...post.offer } : null;
	const names = new Map(categories.map(({ id, name }) => [id, name]));
	const isComparing = panel === 'file' && offer !== null && !conflict;
	const advice = useAdvice(form, post?.id, panel === 'publish');
	const hasCome = useIsPast(post?.state === 'scheduled' ? post.publishedAt : null);
	const hasDraft =
		post !== null &&
		(writing.isDirty() || post.draft !== null || post.form.content !== form.content);
	useWriterEvents(writing, actions, root, surface);
	const offered = useRef<() => WriterAction[]>(() => []);
	offered.current = () => writerActions(state, hasDraft, actions);
	useEffect(() => {
		$offered.set(() => offered.current());
		return () => $offered.set(() => []);
	}, []);

	// Another article than the one that was typed here: merged, restored, cleaned by the server.
	useEffect(() => {
		if (form.content === shownContent.current) return;
		shownContent.current = form.content;
		surface.current?.set(form.content);
	}, [form.content]);
	useEffect(() => {
		if (post === null && !writing.isDirty() && !isByKeyboard()) title.current?.focus();
	}, [writing, visit]);
	useEffect(() => {
		if (!post?.publishedAt || !hasCome) return;
		const { path, digest } = post;
		setPublication({ savedAt: Date.parse(post.publishedAt), path, digest });
	}, [hasCome]);

	function edit(changes: Partial<PostForm>) {
		if (changes.content !== undefined) shownContent.current = changes.content;
		actions.clearErrors(Object.keys(changes));
		const isBegun = post !== null || form.categoryId !== '';
		writing.edit({ ...(!isBegun && onlyCategory(categories)), ...changes });
	}

	return (
		<div
			ref={root}
			className="editor"
			data-focus={isFocused || undefined}
			data-preview={(isPreviewed && !conflict) || undefined}
		>
			<WriterBar
				writing={state}
				hasDraft={hasDraft}
				hasCome={hasCome}
				actions={actions}
				onRetry={() => void writing.flush()}
				onClose={onClose}
			/>
			{publication && <Timeline publication={publication} />}
			{actions.letter && <MailedNote key={actions.letter.id} letter={actions.letter} />}
			{post?.program && !post.published && (
				<p className="label">Begun by the program “{post.program}”</p>
			)}
			{offer && !conflict && !isComparing && (
				<OfferNote
					name={`“${form.title}”`}
					onCompare={() => {
						surface.current?.sync();
						setPanel('file');
					}}
					onTake={() => void actions.resolveFile(changesOf(form, offer))}
					onKeep={() => void actions.resolveFile({})}
				/>
			)}
			{isComparing && (
				<MergeView
					mine={form}
					theirs={offer}
					base={form}
					origin="Yours is at the desk; theirs is a newer file of the repository"
					categories={names}
					onDone={(merged) => {
						setPanel(null);
						void actions.resolveFile(changesOf(form, merged));
					}}
					onCancel={() => setPanel(null)}
				/>
			)}
			{conflict ? (
				<Conflict writing={writing} state={{ ...state, conflict }} categories={names} />
			) : (
				<div className="editor-columns">
					<Paper
						postId={post?.id ?? null}
						form={form}
						savedContent={post?.form.content ?? ''}
						errors={errors}
						title={title}
						surface={surface}
						onEdit={edit}
						takesTitle={() => writing.state.get().form.title.trim() === ''}
						onSource={actions.showSource}
						onHelp={() => setPanel('help')}
					/>
					<Details
						form={form}
						categories={categories}
						advice={advice}
						errors={errors}
						onEdit={edit}
						onCategory={(made) => setMade((all) => [...all, made])}
					>
						<Outline content={form.content} onGo={(index) => surface.current?.goToHeading(index)} />
						{post?.published && <PostFigures slug={post.slug} />}
					</Details>
					{isPreviewed && (
						<ArticlePreview
							form={form}
							author={post?.author ?? ''}
							categories={categories}
							onOpen={() => void actions.preview(false)}
						/>
					)}
				</div>
			)}
			<PublishDialog
				open={panel === 'publish'}
				form={form}
				advice={advice}
				busy={busy === 'publishing'}
				error={actions.refusal}
				onClose={() => setPanel(null)}
				onPublish={(publishedAt, telling) => void actions.publish(publishedAt, telling)}
			/>
			<UpdateDialog
				open={panel === 'update'}
				busy={busy === 'publishing'}
				error={actions.refusal}
				onClose={() => setPanel(null)}
				onUpdate={(notice) => void actions.update(notice)}
			/>
			{post && (
				<Revisions
					open={panel === 'revisions'}
					postId={post.id}
					form={form}
					onClose={() => setPanel(null)}
					saveAll={actions.saveAll}
					onRestore={actions.restore}
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
			<Dialog
				open={panel === 'link'}
				onClose={() => setPanel(null)}
				title="Link to the preview"
				firstFocus="input"
			>
				<Field
					label="It shows this draft for seven days"
					hint={`It could not be copied by itself. ${COPY_KEYS}`}
					value={actions.link}
					readOnly
					onFocus={({ currentTarget }) => currentTarget.select()}
				/>
			</Dialog>
			<HelpDialog open={panel === 'help'} onClose={() => setPanel(null)} />
		</div>
	);
}

/** Returns the category of a new article where there is only one to choose. */
function onlyCategory(categories: readonly Category[]): Pick<PostForm, 'categoryId'> | undefined {
	const [only, ...others] = categories.filter(({ slug }) => slug !== UNCATEGORIZED.slug);
	return only && others.length === 0 ? { categoryId: only.id } : undefined;
}

/** Returns what of a form is other than in `mine`. */
function changesOf(mine: PostForm, theirs: PostForm): Partial<PostForm> {
	const fields = fieldsBetween(mine, theirs).map((name) => [name, theirs[name]]);
	return { ...(Object.fromEntries(fields) as Partial<PostForm>), content: theirs.content };
}

/** Brings back what is folded away, at once: a field of it is about to have the focus. */
function showAll() {
	flushSync(() => {
		setView('focus', false);
		if (matchMedia('(width < 64rem)').matches) setView('preview', false);
	});
}

/** Whether somebody goes by keyboard from place to place: then the focus is theirs. A screen that was jumped to has no place yet. */
function isByKeyboard(): boolean {
	return document.querySelector(':focus-visible:not(#main)') !== null;
}

/** Longest delay of a timer, in milliseconds. */
const MAX_DELAY = 2 ** 31 - 1;

/** Whether a time that lay ahead has come while this is open. */
function useIsPast(time: string | null): boolean {
	const [come, setCome] = useState<string | null>(null);
	useEffect(() => {
		const delay = time === null ? Infinity : Math.max(0, Date.parse(time) - Date.now());
		if (delay > MAX_DELAY) return;
		const timer = setTimeout(() => setCome(time), delay);
		return () => clearTimeout(timer);
	}, [time]);
	return time !== null && come === time;
}

const HEADINGS = ':scope > :is(h2, h3, h4)';

/** The headings of a text: where one is, and the way to each. */
function Outline({ content, onGo }: { content: string; onGo: (index: number) => void }) {
	const headings = useMemo(() => {
		const { body } = new DOMParser().parseFromString(content, 'text/html');
		return [...body.querySelectorAll(HEADINGS)].map(({ tagName, textContent }) => ({
			depth: Number(tagName[1]),
			text: textContent.trim() || 'Untitled',
		}));
	}, [content]);
	const [current, setCurrent] = useState(-1);

	useEffect(() => {
		function see() {
			const shown = document.querySelector('.article-surface')?.querySelectorAll(HEADINGS) ?? [];
			const line = innerHeight * 0.4;
			setCurrent([...shown].findLastIndex((one) => one.getBoundingClientRect().top <= line));
		}
		see();
		addEventListener('scroll', see, { passive: true });
		return () => removeEventListener('scroll', see);
	}, [headings]);

	if (headings.length === 0) return null;
	return (
		<nav className="editor-outline" aria-label="Outline">
			<h2>Outline</h2>
			<ol>
				{headings.map(({ depth, text }, index) => (
					<li key={index} data-depth={depth}>
						<button
							type="button"
							aria-current={index === current ? 'location' : undefined}
							onClick={() => onGo(index)}
						>
							{text}
						</button>
					</li>
				))}
			</ol>
		</nav>
	);
}
