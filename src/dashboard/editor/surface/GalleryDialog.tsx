import type { Editor } from '@tiptap/core';
import type { Node as ProseNode } from '@tiptap/pm/model';
import { NodeSelection } from '@tiptap/pm/state';
import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { uploadImage } from '#src/dashboard/media/upload.store.ts';
import { ACCEPTED_OR_DRAWN } from '#src/dashboard/media/photo.ts';
import { messageOf } from '#src/lib/errors.ts';
import type { PlaceOf } from './media-views.ts';
import { attributesOf } from './uploads.store.ts';

type Props = {
	editor: Editor;
	/** Where the gallery is that is changed, or null. */
	placeOf: PlaceOf | null;
	onClose: () => void;
	/** Takes its pictures, which the text gets when the dialog is closed. */
	onChange: (pictures: ProseNode[]) => void;
};

/** Changes the pictures of a gallery, their order and descriptions: one step for Undo. Captions stay as they are. */
export function GalleryDialog({ editor, placeOf, onClose, onChange }: Props) {
	const pos = placeOf?.();
	const gallery = pos === undefined ? null : editor.state.doc.nodeAt(pos);
	return (
		<Dialog open={gallery !== null} onClose={onClose} title="Gallery" firstFocus="input">
			{gallery && <GalleryForm editor={editor} given={[...gallery.children]} onChange={onChange} />}
		</Dialog>
	);
}

type FormProps = Pick<Props, 'editor' | 'onChange'> & { given: ProseNode[] };

function GalleryForm({ editor, given, onChange }: FormProps) {
	const [pictures, setPictures] = useState(given);
	const [sending, setSending] = useState(0);
	const [error, setError] = useState<string>();
	const picture = editor.schema.nodes['picture']!;

	async function add(files: File[]) {
		setError(undefined);
		setSending((count) => count + files.length);
		for (const file of files) {
			try {
				const added = picture.create(attributesOf(await uploadImage(file)));
				setPictures((before) => [...before, added]);
			} catch (failure) {
				setError(`“${file.name}” was not added. ${messageOf(failure)}`);
			}
			setSending((count) => count - 1);
		}
	}
	function describe(at: number, alt: string) {
		setPictures((before) =>
			before.with(at, picture.create({ ...before[at]!.attrs, alt }, before[at]!.content)),
		);
	}

	return (
		<form
			method="post"
			className="grid gap-4"
			onSubmit={(event) => {
				event.preventDefault();
				onChange(pictures);
			}}
		>
			<ol className="gallery-list">
				{pictures.map(({ attrs }, at) => (
					<li key={at}>
						<img src={String(attrs['src'])} alt="" />
						<Field
							label={`Description of picture ${at + 1}`}
							maxLength={500}
							value={String(attrs['alt'] ?? '')}
							onChange={(event) => describe(at, event.currentTarget.value)}
						/>
						<span className="flex flex-wrap gap-3">
							<Button
								variant="quiet"
								disabled={at === 0}
								aria-label={`Move picture ${at + 1} forward`}
								onClick={() =>
									setPictures((before) =>
										before.with(at, before[at - 1]!).with(at - 1, before[at]!),
									)
								}
							>
								↑
							</Button>
							<Button
								variant="quiet"
								aria-label={`Remove picture ${at + 1}`}
								onClick={() => setPictures((before) => before.toSpliced(at, 1))}
							>
								Remove
							</Button>
						</span>
					</li>
				))}
			</ol>
			<label className="field">
				<span>Add pictures</span>
				<input
					type="file"
					accept={ACCEPTED_OR_DRAWN}
					multiple
					onChange={(event) => {
						void add([...(event.currentTarget.files ?? [])]);
						event.currentTarget.value = '';
					}}
				/>
			</label>
			<FieldError>{error}</FieldError>
			<p role="status" className="label">
				{sending > 0 ? 'Uploading…' : pictures.length === 0 ? 'A gallery needs a picture.' : ''}
			</p>
			<div>
				<Button type="submit" disabled={sending > 0 || pictures.length === 0}>
					Change gallery
				</Button>
			</div>
		</form>
	);
}

/** Gives the gallery at a place other pictures, and selects it. */
export function changeGallery(editor: Editor, placeOf: PlaceOf, pictures: ProseNode[]): void {
	const pos = placeOf();
	const gallery = pos === undefined ? null : editor.state.doc.nodeAt(pos);
	if (pos === undefined || gallery?.type.name !== 'gallery') return;
	const tr = editor.state.tr.replaceWith(pos + 1, pos + gallery.nodeSize - 1, pictures);
	editor.view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, pos)));
	editor.view.focus();
}
