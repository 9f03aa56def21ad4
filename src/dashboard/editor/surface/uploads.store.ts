import type { Editor } from '@tiptap/core';
import { toast } from '#src/components/ui/toast.store.ts';
import { fileOf, uploadFrom, uploadImage } from '#src/dashboard/media/upload.store.ts';
import { removedNote, type Media } from '#src/features/media/media.ts';
import { messageOf } from '#src/lib/errors.ts';
import type { NewPictures } from './media-views.ts';
import {
	holdPlace,
	loosePictures,
	replacePictures,
	replaceStandIns,
	findPlaceholders,
} from './uploads.ts';

/** Pictures of each text that are on their way. */
const sending = new WeakMap<Editor, Set<string>>();

function underwayIn(editor: Editor): Set<string> {
	const underway = sending.get(editor) ?? new Set();
	sending.set(editor, underway);
	return underway;
}

/** Stores images, and puts each into the text where its place is held. */
export function addImages(editor: Editor, files: File[], at = editor.state.selection.from): void {
	for (const file of files) void addImage(editor, file, at);
}

/** Puts an image of the library into the text, with the description that it has there. */
export function addStoredImage(editor: Editor, image: Media): void {
	holdPlace(editor, `Uploading ${image.name}`, editor.state.selection.from).arrive(
		attributesOf(image),
	);
}

/** Attributes of a picture in the text. */
export const attributesOf = ({ url, alt, width, height }: Media) => ({
	src: url,
	alt,
	width: String(width),
	height: String(height),
});

async function addImage(editor: Editor, file: File, at: number): Promise<void> {
	const place = holdPlace(editor, `Uploading ${file.name}`, at);
	try {
		const image = await uploadImage(file, (part) => place.progress(part));
		place.arrive(attributesOf(image), removedNote(image));
	} catch (error) {
		place.leave();
		toast({ title: 'The image was not added', description: messageOf(error), destructive: true });
	}
}

/** Stores images one after the other, and puts each at the end of a gallery, which may have moved meanwhile. */
export async function addToGallery(
	editor: Editor,
	{ files, placeOf, say }: NewPictures,
): Promise<void> {
	for (const [index, file] of files.entries()) {
		say(`Uploading ${index + 1} of ${files.length}`);
		try {
			const image = await uploadImage(file);
			const at = placeOf();
			const gallery = at === undefined ? null : editor.state.doc.nodeAt(at);
			if (at === undefined || !gallery) return;
			const picture = editor.schema.nodes['picture']!.create(attributesOf(image));
			editor.view.dispatch(editor.state.tr.insert(at + gallery.nodeSize - 1, picture));
		} catch (error) {
			toast({
				title: `“${file.name}” was not added`,
				description: messageOf(error),
				destructive: true,
			});
		}
	}
	say('');
}

/** Stores the pictures that came within the text, and gives them their addresses. */
export function storeLoosePictures(editor: Editor): void {
	for (const src of loosePictures(editor)) void storeLoosePicture(editor, src);
}

async function storeLoosePicture(editor: Editor, src: string): Promise<void> {
	const underway = underwayIn(editor);
	if (underway.has(src)) return;
	underway.add(src);
	try {
		const { url, width, height } = await uploadImage(fileOf(src));
		const size = { width: String(width), height: String(height) };
		replacePictures(editor, src, { src: url, ...size });
	} catch (error) {
		replacePictures(editor, src, null);
		toast({
			title: 'A pasted picture was not added',
			description: messageOf(error),
			destructive: true,
		});
	} finally {
		underway.delete(src);
	}
}

/** Stores the pictures of other sites that links stand for, one after the other. Where one cannot be had, its link stays. */
export async function fetchPictures(editor: Editor): Promise<void> {
	const underway = underwayIn(editor);
	const addresses = new Set(findPlaceholders(editor).map(({ href }) => href)).difference(underway);
	for (const address of addresses) underway.add(address);
	const reasons: string[] = [];
	for (const address of addresses) {
		const [standIn] = editor.isDestroyed
			? []
			: findPlaceholders(editor).filter(({ href }) => href === address);
		// The text was closed, or its writer took the link out.
		if (!standIn) continue;
		const place = holdPlace(
			editor,
			`Uploading the picture of ${new URL(address).host}`,
			standIn.from,
		);
		try {
			const image = await uploadFrom(address, (part) => place.progress(part));
			if (!editor.isDestroyed) replaceStandIns(editor, address, attributesOf(image));
		} catch (error) {
			reasons.push(messageOf(error));
		} finally {
			if (!editor.isDestroyed) place.leave();
		}
	}
	for (const address of addresses) underway.delete(address);
	const [reason] = reasons;
	if (!reason) return;
	toast({
		title:
			reasons.length === 1
				? 'A picture stays where it is'
				: `${reasons.length} pictures stay where they are`,
		description: `${reason} A link stands in its place.`,
		destructive: true,
	});
}
