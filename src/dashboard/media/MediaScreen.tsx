import { useEffect, useState } from 'react';
import { ActionBar } from '#src/components/ui/ActionBar.tsx';
import { Button } from '#src/components/ui/Button.tsx';
import { Pages } from '#src/components/ui/DataTable.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { screenAddress } from '#src/dashboard/kit/address.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useActions } from '#src/dashboard/kit/useActions.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { messageOf } from '#src/lib/errors.ts';
import { parse } from '#src/lib/endpoint.ts';
import { byteSize, plural } from '#src/lib/text.ts';
import {
	deleteMedia,
	deleteUnused,
	describeMedia,
	listMedia,
} from '#src/features/media/media.api.ts';
import {
	DRAWING_TYPE,
	MEDIA_FILTERS,
	removedNote,
	type Media,
	type MediaFilter,
} from '#src/features/media/media.ts';
import { listUses, type Use } from '#src/features/media/uses.api.ts';
import { FocusField } from './FocusField.tsx';
import { ACCEPTED, ACCEPTED_OR_DRAWN } from './photo.ts';
import { replaceImage } from './upload.store.ts';
import { Uploads } from './Uploads.tsx';
import { useUploads } from './useUploads.ts';

const NONE = 'There are no images yet. Upload one here, or put one into an article.';
const EMPTY: Record<MediaFilter, string> = {
	unused: 'Every image is used somewhere.',
	undescribed: 'Every image has a description.',
};

/** The images of articles: brought in, described, replaced, deleted where none uses them. */
export function MediaScreen() {
	const { query, set } = useQuery('media');
	const q = query['q'] ?? '';
	const page = Math.max(1, Number.parseInt(query['page'] ?? '1', 10) || 1);
	const show = MEDIA_FILTERS.find((filter) => filter === query['show']);
	const { answer, error, loading, reload } = useAnswer(listMedia, {
		q,
		page,
		...(show && { show }),
	});
	/** How many were described since the list was asked for. */
	const [described, setDescribed] = useState(0);
	useEffect(() => setDescribed(0), [answer]);
	const ids = answer?.rows.map(({ id }) => id).join(',') ?? '';
	const uses = useAnswer(listUses, { ids });
	const reloadAll = () => {
		reload();
		uses.reload();
	};
	const { selected, setSelected, done, busy, act, undo } = useActions(reloadAll, answer?.rows);
	const { uploads, add, dismiss } = useUploads(reloadAll);
	const [open, setOpen] = useState<Media>();
	/** Closes the dialog of an image, but not of another that was opened meanwhile. */
	const close = (id: string) => setOpen((now) => (now?.id === id ? undefined : now));

	function remove(image: Media) {
		void act(async () => {
			const { undo: token } = await callAsAdmin(deleteMedia, { id: image.id });
			close(image.id);
			return {
				message: `${image.name} deleted.`,
				undo: async () => void (await callAsAdmin(undoAction, { token })),
			};
		}, [image.id]);
	}

	/** Deletes those of these images that nothing uses; without ids, all of them. */
	function removeUnused(chosen?: string[]) {
		void act(async () => {
			const { deleted, undo: token } = await callAsAdmin(deleteUnused, {
				...(chosen && { ids: chosen }),
			});
			return {
				message: `${plural(deleted.length, 'unused image')} deleted.`,
				...(token && { undo: async () => void (await callAsAdmin(undoAction, { token })) }),
			};
		}, [...selected]);
	}

	function select(id: string, isChosen: boolean) {
		const next = new Set(selected);
		if (isChosen) next.add(id);
		else next.delete(id);
		setSelected(next);
	}

	return (
		<div
			className="media-screen"
			onDragOver={(event) => event.preventDefault()}
			onDrop={(event) => {
				event.preventDefault();
				add([...event.dataTransfer.files]);
			}}
		>
			<div className="desk-tools">
				<Segments
					label="Images"
					value={show ?? ''}
					options={[
						{ value: '', label: 'All' },
						{ value: 'unused', label: 'Unused' },
						{
							value: 'undescribed',
							label: 'Not described',
							count: answer && answer.undescribed - described,
						},
					]}
					onChange={(value) => set({ show: value })}
				/>
				<SearchField
					label="Search names and descriptions"
					value={q}
					onSearch={(text) => set({ q: text }, 'replace')}
				/>
				<label className="button upload">
					Upload images
					<input
						type="file"
						multiple
						accept={ACCEPTED_OR_DRAWN}
						onChange={(event) => {
							add([...(event.currentTarget.files ?? [])]);
							event.currentTarget.value = '';
						}}
					/>
				</label>
			</div>
			<Uploads uploads={uploads} onDismiss={dismiss} />
			<ActionBar
				chosen={selected.size}
				onClear={() => setSelected(new Set())}
				actions={
					<Button variant="danger" busy={busy} onClick={() => removeUnused([...selected])}>
						Delete
					</Button>
				}
				summary={answer ? plural(answer.total, 'image') : ''}
				done={done}
				busy={busy}
				onUndo={undo}
				tools={
					show === 'unused' &&
					q === '' &&
					answer &&
					answer.total > 0 && (
						<Button variant="danger" busy={busy} onClick={() => removeUnused()}>
							{`Delete all ${answer.total} unused`}
						</Button>
					)
				}
			/>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			<LoadError what="Where images are used" {...uses} />
			{!answer && error === undefined && <Skeleton label="Loading images" rows={4} />}
			{answer && error === undefined && answer.rows.length === 0 && (
				<div className="data-empty frame">
					<p className="frame-label">0 results</p>
					<p>{q ? 'No image matches.' : show ? EMPTY[show] : NONE}</p>
				</div>
			)}
			{answer && answer.rows.length > 0 && (
				<ul className="media-grid" aria-busy={loading}>
					{answer.rows.map((image) => (
						<li key={image.id}>
							{show === 'unused' && (
								<label className="media-choice">
									<span className="sr-only">Select {image.name}</span>
									<input
										type="checkbox"
										checked={selected.has(image.id)}
										onChange={(event) => select(image.id, event.currentTarget.checked)}
									/>
								</label>
							)}
							<button
								type="button"
								className="media-item frame frame-hover"
								onClick={() => setOpen(image)}
							>
								<img src={addressOf(image)} alt={image.alt} loading="lazy" decoding="async" />
								<span>
									<span className="media-name">{image.name}</span>
									<span className="label">
										{image.width} × {image.height}, {byteSize(image.size)}
									</span>
									<span className="media-notes label">
										{!uses.loading && uses.error === undefined && usesOf(uses.answer?.[image.id])}
										{image.alt === '' && <span className="badge badge-wait">No description</span>}
									</span>
								</span>
							</button>
							{show === 'undescribed' && (
								<Describe
									image={image}
									onChange={(step) => setDescribed((count) => count + step)}
								/>
							)}
						</li>
					))}
				</ul>
			)}
			{answer && (
				<Pages
					total={answer.total}
					page={answer.page}
					pageSize={answer.pageSize}
					onPage={(next) => set({ page: String(next) })}
				/>
			)}
			<Dialog
				open={open !== undefined}
				onClose={() => setOpen(undefined)}
				title={open?.name ?? 'Image'}
			>
				{open && (
					<Details
						key={open.id}
						image={open}
						uses={
							uses.loading || uses.error !== undefined ? undefined : (uses.answer?.[open.id] ?? [])
						}
						busy={busy}
						onSaved={() => {
							close(open.id);
							reload();
						}}
						onReplaced={(image) => {
							setOpen((now) => (now?.id === image.id ? image : now));
							reloadAll();
						}}
						onUndone={() => {
							close(open.id);
							reloadAll();
						}}
						onDelete={() => remove(open)}
					/>
				)}
			</Dialog>
		</div>
	);
}

/** Describes an image in its place in the list, and stays there, so that the next one is a Tab away. */
function Describe({
	image: { id, name, alt },
	onChange,
}: {
	image: Media;
	/** Hears 1 where it got a description, and -1 where it lost one. */
	onChange: (step: number) => void;
}) {
	const [stored, setStored] = useState(alt);
	const { reason, run } = useSubmit();
	const save = (text: string) =>
		text === stored
			? undefined
			: run(async () => {
					const image = await callAsAdmin(describeMedia, { id, alt: text });
					onChange(Number(image.alt !== '') - Number(stored !== ''));
					setStored(image.alt);
				});
	return (
		<>
			<Field
				label={`Description of ${name}`}
				hideLabel
				type="textarea"
				rows={2}
				maxLength={500}
				placeholder="What it shows"
				defaultValue={alt}
				error={reason || undefined}
				onBlur={({ currentTarget }) => void save(currentTarget.value.trim())}
			/>
			<p role="status" className="label">
				{stored !== '' && 'Described'}
			</p>
		</>
	);
}

function usesOf(uses: Use[] | undefined): string {
	return uses ? `Used in ${plural(uses.length, 'place')}` : 'Used nowhere';
}

type DetailsProps = {
	image: Media;
	/** Undefined while nobody knows. */
	uses: Use[] | undefined;
	busy: boolean;
	onSaved: () => void;
	onReplaced: (image: Media) => void;
	onUndone: () => void;
	onDelete: () => void;
};

function Details({ image, uses, busy, onSaved, onReplaced, onUndone, onDelete }: DetailsProps) {
	const { reason, errors, send } = useSubmit();
	const [focus, setFocus] = useState(image.focus);
	const [sending, setSending] = useState<number>();
	const [refusal, setRefusal] = useState('');

	const save = send(async ({ name = '', alt = '' }) => {
		await callAsAdmin(
			describeMedia,
			parse(describeMedia.input, { id: image.id, name, alt, focus }),
		);
		toast({ title: 'Image saved' });
		onSaved();
	});

	async function replace(file: File | undefined) {
		if (!file) return;
		setRefusal('');
		setSending(0);
		try {
			const replaced = await replaceImage(image.id, file, setSending);
			const notice = { title: `${image.name} replaced`, description: removedNote(replaced.image) };
			tellUndoable(notice, replaced.undo, onUndone);
			onReplaced(replaced.image);
		} catch (problem) {
			setRefusal(messageOf(problem));
		} finally {
			setSending(undefined);
		}
	}

	return (
		<div className="grid gap-4">
			<p className="label">
				{image.width} × {image.height} pixels, {byteSize(image.size)},{' '}
				{image.type.replace('image/', '').replace('+xml', '').toUpperCase()},{' '}
				<When at={image.createdAt} />
			</p>
			<form method="post" onSubmit={save} className="grid gap-3">
				<Field
					label="Description"
					name="alt"
					type="textarea"
					rows={2}
					maxLength={500}
					defaultValue={image.alt}
					hint="What it shows, for those who do not see it. In the text of a post it stays as it was put there; a featured image takes this with the next build."
					error={errors['name'] ? undefined : reason || undefined}
				/>
				<FocusField src={addressOf(image)} value={focus} onChange={setFocus} />
				<Field
					label="Name"
					name="name"
					required
					maxLength={200}
					defaultValue={image.name}
					autoComplete="off"
					error={errors['name']}
				/>
				<p className="media-save">
					<Button type="submit">Save</Button>
				</p>
			</form>
			<div>
				<h3>Used in</h3>
				{!uses ? (
					<p className="mt-1 text-muted">Not known yet.</p>
				) : uses.length === 0 ? (
					<p className="mt-1 text-muted">No post, draft or page.</p>
				) : (
					<ul className="mt-1 grid gap-1">
						{uses.map(({ kind, id, slug, title }) => (
							<li key={id ?? kind}>
								<a
									className="link"
									href={
										kind === 'site'
											? screenAddress('site')
											: kind === 'page'
												? screenAddress('pages', { edit: slug })
												: screenAddress('create', { post: id! })
									}
								>
									{title}
								</a>
							</li>
						))}
					</ul>
				)}
			</div>
			<div className="flex flex-wrap gap-2">
				<label className="button button-quiet upload">
					{sending === undefined ? 'Replace…' : 'Replacing…'}
					<input
						type="file"
						accept={image.type === DRAWING_TYPE ? DRAWING_TYPE : ACCEPTED}
						disabled={sending !== undefined}
						onChange={(event) => {
							void replace(event.currentTarget.files?.[0]);
							event.currentTarget.value = '';
						}}
					/>
				</label>
				<Button variant="danger" busy={busy} disabled={uses?.length !== 0} onClick={onDelete}>
					{uses && uses.length > 0 ? 'In use: cannot be deleted' : 'Delete image'}
				</Button>
			</div>
			<p className="field-hint">
				Another picture takes its place everywhere: in posts, drafts and letters that were sent.
			</p>
			{sending !== undefined && <progress aria-label="Replacing" max={1} value={sending} />}
			<FieldError>{refusal}</FieldError>
		</div>
	);
}

/** A page keeps the picture that it has shown at an address: one that was replaced is asked for under another. */
function addressOf({ url, createdAt }: Media): string {
	return `${url}?${new URLSearchParams({ of: createdAt })}`;
}
