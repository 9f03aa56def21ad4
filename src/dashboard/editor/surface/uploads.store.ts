import type { Editor } from '@tiptap/core';
import { toast } from '#src/components/ui/toast.store.ts';
import { retryAfterSignIn } from '#src/core/session/session.store.ts';
import { uploadMedia } from '#src/features/media/media.api.ts';
import { IMAGE_TYPES, MAX_IMAGE_BYTES, type Media } from '#src/features/media/media.ts';
import { call } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { holdPlace, loosePictures, replacePictures } from './uploads.ts';

/** Why a file cannot be an image of an article, or null. */
function refusalOf({ type, size, name }: Pick<File, 'type' | 'size' | 'name'>): string | null {
	if (!(IMAGE_TYPES as readonly string[]).includes(type))
		return `${name} is no image that pages can show. Use PNG, JPEG, WebP, AVIF or GIF.`;
	if (size > MAX_IMAGE_BYTES) {
		const megabytes = (size / 1024 / 1024).toFixed(1);
		return `${name} has ${megabytes} MB. Images may have up to ${MAX_IMAGE_BYTES / 1024 / 1024} MB.`;
	}
	return null;
}

/** Pictures of each text that are on their way. */
const sending = new WeakMap<Editor, Set<string>>();

/** Stores images, and puts each into the text where its place is held. */
export function addImages(editor: Editor, files: File[], at = editor.state.selection.from): void {
	for (const file of files) void addImage(editor, file, at);
}

async function addImage(editor: Editor, file: File, at: number): Promise<void> {
	const place = holdPlace(editor, file.name, at);
	try {
		const { url, alt, width, height } = await uploadImage(file, (part) => place.progress(part));
		place.arrive({ src: url, alt, width: String(width), height: String(height) });
	} catch (error) {
		place.leave();
		toast({ title: 'The image was not added', description: messageOf(error), destructive: true });
	}
}

/** Stores the pictures that came within the text, and gives them their addresses. */
export function storeLoosePictures(editor: Editor): void {
	for (const src of loosePictures(editor)) void storeLoosePicture(editor, src);
}

async function storeLoosePicture(editor: Editor, src: string): Promise<void> {
	const underway = sending.get(editor) ?? new Set();
	sending.set(editor, underway);
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

/** Stores an image; `onProgress` is told which part of it (0 to 1) has left. Rejects with an AppError. */
export async function uploadImage(
	file: File,
	onProgress: (part: number) => void = () => {},
): Promise<Media> {
	const refusal = refusalOf(file);
	if (refusal) throw new AppError('validation', refusal);
	return storeImage(file, onProgress);
}

/** A picture that came as a `data:` address, as a file. */
function fileOf(address: string): File {
	const [, type = '', words = ''] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(address) ?? [];
	const bytes = Uint8Array.from(atob(words), (sign) => sign.charCodeAt(0));
	return new File([bytes], `pasted.${type.split('/')[1] ?? 'bin'}`, { type });
}

/** Sends an image, however long that takes. Rejects with an AppError. */
export async function storeImage(
	file: File,
	onProgress: (part: number) => void = () => {},
): Promise<Media> {
	const data = await dataUrl(file);
	return retryAfterSignIn(() =>
		call(uploadMedia, { name: file.name, data }, withProgress(onProgress)),
	);
}

function dataUrl(file: File): Promise<string> {
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(reader.result as string);
		reader.onerror = () => reject(new AppError('unknown', `${file.name} could not be read.`));
		reader.readAsDataURL(file);
	});
}

/** `fetch` does not tell how much it has sent; the older way does. */
function withProgress(onProgress: (part: number) => void): typeof fetch {
	return (url, init) =>
		new Promise((resolve, reject) => {
			const request = new XMLHttpRequest();
			request.open(init?.method ?? 'GET', url as string);
			new Headers(init?.headers).forEach((value, name) => request.setRequestHeader(name, value));
			request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
			request.onload = () =>
				resolve(new Response(request.responseText, { status: request.status || 500 }));
			request.onerror = () => reject(new TypeError('Network'));
			// An image of 4 MB may take longer than other calls: only a closed page ends it.
			request.send(init?.body as string);
		});
}
