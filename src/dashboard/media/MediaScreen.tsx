import { useState, type SubmitEvent } from 'react';
import { ActionBar } from '#src/components/ui/ActionBar.tsx';
import { Button } from '#src/components/ui/Button.tsx';
import { Pages } from '#src/components/ui/DataTable.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { screenAddress } from '#src/dashboard/kit/address.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useActions } from '#src/dashboard/kit/useActions.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { storeImage } from '#src/dashboard/editor/surface/uploads.store.ts';
import { localDate } from '#src/lib/dates.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { byteSize, plural } from '#src/lib/text.ts';
import { deleteMedia, describeMedia, listMedia } from '#src/features/media/media.api.ts';
import { IMAGE_TYPES, MAX_IMAGE_BYTES, type Media } from '#src/features/media/media.ts';
import { listUses, type Use } from '#src/features/media/uses.api.ts';

/** The images of articles: brought in, described, deleted where none uses them. */
export function MediaScreen() {
	const { query, set } = useQuery('media');
	const q = query['q'] ?? '';
	const page = Math.max(1, Number.parseInt(query['page'] ?? '1', 10) || 1);
	const { answer, error, loading, reload } = useAnswer(listMedia, { q, page });
	const ids = answer?.rows.map(({ id }) => id).join(',') ?? '';
	const uses = useAnswer(listUses, { ids });
	const { done, busy, act } = useActions(() => {
		reload();
		uses.reload();
	});
	const [open, setOpen] = useState<Media>();

	function upload(files: FileList | null) {
		const chosen = [...(files ?? [])];
		if (chosen.length === 0) return;
		void act(async () => {
			const failed: string[] = [];
			for (const file of chosen) {
				const problem = await send(file);
				if (problem) failed.push(`${file.name}: ${problem}`);
			}
			const stored = chosen.length - failed.length;
			if (failed.length > 0) {
				toast({ title: 'Not uploaded', description: failed.join(' '), destructive: true });
			}
			return { message: `${plural(stored, 'image')} uploaded.` };
		});
	}

	function remove(image: Media) {
		void act(async () => {
			await callAsAdmin(deleteMedia, { id: image.id });
			setOpen(undefined);
			return { message: `${image.name} deleted.` };
		});
	}

	return (
		<>
			<div className="desk-tools">
				<SearchField
					label="Search names and descriptions"
					value={q}
					onSearch={(text) => set({ q: text }, 'replace')}
				/>
				<label className="button upload">
					{busy ? 'Uploading…' : 'Upload images'}
					<input
						type="file"
						multiple
						accept={IMAGE_TYPES.join(',')}
						disabled={busy}
						onChange={(event) => {
							upload(event.currentTarget.files);
							event.currentTarget.value = '';
						}}
					/>
				</label>
			</div>
			<ActionBar
				chosen={0}
				onClear={() => {}}
				actions={null}
				summary={answer ? plural(answer.total, 'image') : ''}
				done={done}
				busy={busy}
				onUndo={() => {}}
			/>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading images" rows={4} />}
			{answer && error === undefined && answer.rows.length === 0 && (
				<div className="data-empty frame">
					<p className="frame-label">0 results</p>
					<p>{q ? 'No image matches.' : 'There are no images yet.'}</p>
				</div>
			)}
			{answer && answer.rows.length > 0 && (
				<ul className="media-grid" aria-busy={loading}>
					{answer.rows.map((image) => (
						<li key={image.id}>
							<button
								type="button"
								className="media-item frame frame-hover"
								onClick={() => setOpen(image)}
							>
								<img src={image.url} alt={image.alt} loading="lazy" decoding="async" />
								<span>
									<span className="font-semibold">{image.name}</span>
									<span className="label">
										{image.width} × {image.height}, {byteSize(image.size)}
									</span>
									<span className="label">
										{!uses.loading && uses.error === undefined && usesOf(uses.answer?.[image.id])}
									</span>
									{image.alt === '' && <span className="badge badge-wait">No description</span>}
								</span>
							</button>
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
							setOpen(undefined);
							reload();
						}}
						onDelete={() => remove(open)}
					/>
				)}
			</Dialog>
		</>
	);
}

function usesOf(uses: Use[] | undefined): string {
	if (!uses) return 'In no text';
	const isPost = uses.every(({ kind }) => kind === 'post');
	return `In ${plural(uses.length, isPost ? 'post' : 'text')}`;
}

type DetailsProps = {
	image: Media;
	/** Undefined while nobody knows. */
	uses: Use[] | undefined;
	busy: boolean;
	onSaved: () => void;
	onDelete: () => void;
};

function Details({ image, uses, busy, onSaved, onDelete }: DetailsProps) {
	const [error, setError] = useState('');

	async function save(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		const { alt = '' } = Object.fromEntries(new FormData(event.currentTarget)) as { alt?: string };
		setError('');
		try {
			await callAsAdmin(describeMedia, { id: image.id, alt });
			toast({ title: 'Description saved' });
			onSaved();
		} catch (problem) {
			setError(messageOf(problem));
		}
	}

	return (
		<div className="grid gap-4">
			<img className="media-large" src={image.url} alt={image.alt} />
			<p className="label">
				{image.width} × {image.height} pixels, {byteSize(image.size)},{' '}
				{image.type.replace('image/', '').toUpperCase()}, {localDate(image.createdAt)}
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
					error={error || undefined}
				/>
				<Button type="submit" className="justify-self-start">
					Save description
				</Button>
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
							<li key={id}>
								<a
									className="link"
									href={
										kind === 'page'
											? screenAddress('pages', { edit: slug })
											: screenAddress('create', { post: id })
									}
								>
									{title}
								</a>
							</li>
						))}
					</ul>
				)}
			</div>
			<Button
				variant="danger"
				className="justify-self-start"
				busy={busy}
				disabled={uses?.length !== 0}
				onClick={onDelete}
			>
				{uses && uses.length > 0 ? 'In use: cannot be deleted' : 'Delete image'}
			</Button>
		</div>
	);
}

/** Stores one file. Returns why it was refused. */
async function send(file: File): Promise<string | undefined> {
	if (file.size > MAX_IMAGE_BYTES) return `larger than ${byteSize(MAX_IMAGE_BYTES)}.`;
	try {
		await storeImage(file);
		return undefined;
	} catch (error) {
		if (error instanceof AppError) return messageOf(error);
		throw error;
	}
}
