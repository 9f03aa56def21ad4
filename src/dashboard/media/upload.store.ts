import { retryAfterSignIn } from '#src/core/session/session.store.ts';
import { fetchPicture, replaceMedia, uploadMedia } from '#src/features/media/media.api.ts';
import { MAX_IMAGE_BYTES, type Media } from '#src/features/media/media.ts';
import { call } from '#src/lib/endpoint.ts';
import { AppError } from '#src/lib/errors.ts';
import { MAX_SIDE, namedAs, planPhoto, unreadable, type Encoding } from './photo.ts';

type OnProgress = (part: number) => void;

/**
 * Stores an image, scaled down where it is larger than pages need; `onProgress` is told which part of it (0 to 1) has
 * left. Rejects with an `AppError`.
 */
export async function uploadImage(file: File, onProgress: OnProgress = () => {}): Promise<Media> {
	const { name, data } = await readImage(file);
	return retryAfterSignIn(() => call(uploadMedia, { name, data }, withProgress(onProgress)));
}

/** Stores a picture of another site. Rejects with an `AppError`. */
export async function uploadFrom(url: string, onProgress: OnProgress): Promise<Media> {
	const { name, data } = await retryAfterSignIn(() => call(fetchPicture, { url }));
	return uploadImage(fileOf(data, name), onProgress);
}

/** Returns a picture that came as a `data:` address as a file. */
export function fileOf(data: string, name = 'pasted'): File {
	const [, type = '', words = ''] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(data) ?? [];
	const bytes = Uint8Array.from(atob(words), (sign) => sign.charCodeAt(0));
	const hasEnding = /\.\w+$/.test(name);
	return new File([bytes], hasEnding ? name : `${name}.${type.split('/')[1] ?? 'bin'}`, { type });
}

/** Puts another picture in the place of an image, prepared as one that is uploaded. Rejects with an `AppError`. */
export async function replaceImage(id: string, file: File, onProgress: OnProgress) {
	const { name, data } = await readImage(file);
	return retryAfterSignIn(() => call(replaceMedia, { id, name, data }, withProgress(onProgress)));
}

/** Decoded photos are large: only one is worked on at a time. */
let last: Promise<unknown> = Promise.resolve();

/** Returns a picture as it is sent: its name and a `data:` address. Rejects with an `AppError`. */
async function readImage(file: File): Promise<{ name: string; data: string }> {
	const turn = last.then(() => scaled(file));
	last = turn.catch(() => {});
	const image = await turn;
	return { name: image.name, data: await dataUrl(image) };
}

/** Returns a picture that the library takes: the file itself, or what a canvas makes of it, upright and without its metadata. */
async function scaled(file: File): Promise<File> {
	const bytes = await file.arrayBuffer().then(
		(buffer) => new Uint8Array(buffer),
		() => {
			throw new AppError('unknown', `${file.name} could not be read.`);
		},
	);
	const plan = planPhoto(file.name, bytes);
	if (plan.keep) return file;
	const photo = await createImageBitmap(file).catch(() => {
		throw unreadable(file.name, bytes);
	});
	try {
		const image = await encode(photo, plan.encodings);
		return new File([image], namedAs(file.name, image.type), { type: image.type });
	} finally {
		photo.close();
	}
}

/** Draws a picture as large as allowed, and smaller where its file would still be too large. */
async function encode(photo: ImageBitmap, encodings: Encoding[]): Promise<Blob> {
	const { width, height } = photo;
	for (let side = Math.min(MAX_SIDE, Math.max(width, height)); side >= 1; side *= 0.7) {
		const scale = side / Math.max(width, height);
		const canvas = document.createElement('canvas');
		canvas.width = Math.max(1, Math.round(width * scale));
		canvas.height = Math.max(1, Math.round(height * scale));
		const context = canvas.getContext('2d');
		if (!context) break;
		context.imageSmoothingQuality = 'high';
		context.drawImage(photo, 0, 0, canvas.width, canvas.height);
		for (const { type, quality } of encodings) {
			const image = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality));
			// A type that a browser cannot write comes out as PNG.
			if (image?.type === type && image.size <= MAX_IMAGE_BYTES) return image;
		}
	}
	throw new AppError('unknown', 'This browser cannot scale the picture down. Use a smaller one.');
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
function withProgress(onProgress: OnProgress): typeof fetch {
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
