import { unzipSync, type UnzipFileInfo } from 'fflate';
import { AppError } from '#src/lib/errors.ts';
import { byteSize, formatCount } from '#src/lib/text.ts';

/** The files of an archive, by their paths. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** Limits of an archive: enough for 10,000 posts with their images, but safe for a machine's memory. */
export const ARCHIVE_LIMITS = {
	entries: 50_000,
	/** Bytes of the archive itself. */
	packed: 512 * 1024 * 1024,
	/** Bytes of one file. */
	file: 64 * 1024 * 1024,
	/** Bytes of all files. */
	unpacked: 1024 * 1024 * 1024,
	/** How many times as large a file may be as what it is packed into. Text is packed to a fiftieth at best. */
	ratio: 200,
};

/**
 * Opens a zip archive, or throws `validation` with the reason before anything is unpacked. `onFile` is told how many were
 * unpacked. Not in fflate's own workers: the site's policy refuses scripts that a script has made.
 */
export function openArchive(
	bytes: Uint8Array,
	onFile: (done: number, total: number) => void = () => {},
	limits: typeof ARCHIVE_LIMITS = ARCHIVE_LIMITS,
): Files {
	if (bytes.length > limits.packed) throw archiveError(`is larger than ${byteSize(limits.packed)}`);
	let entries = 0;
	let unpacked = 0;
	let refusal: AppError | undefined;
	const check = ({ name, size, originalSize }: UnzipFileInfo): void => {
		unpacked += originalSize;
		if (++entries > limits.entries) {
			refusal ??= archiveError(`has more than ${formatCount(limits.entries)} files`);
		} else if (!isPathInside(name)) {
			refusal ??= archiveError(`has a file that would lie outside of it: ${JSON.stringify(name)}`);
		} else if (originalSize > limits.file) {
			refusal ??= archiveError(`has a file larger than ${byteSize(limits.file)}: ${name}`);
		} else if (unpacked > limits.unpacked) {
			refusal ??= archiveError(`is larger than ${byteSize(limits.unpacked)} when it is unpacked`);
		} else if (originalSize > limits.ratio * Math.max(size, 512)) {
			refusal ??= archiveError(`has a file that is packed too densely to be a text: ${name}`);
		}
	};
	try {
		unzipSync(bytes, {
			filter(file) {
				check(file);
				return false;
			},
		});
		if (refusal) throw refusal;
		let done = 0;
		const files = unzipSync(bytes, {
			filter({ name }) {
				onFile(++done, entries);
				return !isIgnored(name);
			},
		});
		return new Map(Object.entries(files).map(([name, file]) => [nameOf(name), file]));
	} catch (error) {
		if (error instanceof AppError) throw error;
		throw archiveError(
			hasEnd(bytes)
				? 'cannot be read: it is broken'
				: 'cannot be read: it ends in the middle and may be cut off, or it is no zip archive',
		);
	}
}

/**
 * Returns a file's name with each letter as one character: macOS writes a letter and its mark as two, and does not say that
 * its names are UTF-8.
 */
function nameOf(name: string): string {
	const bytes = Uint8Array.from(name, (sign) => sign.charCodeAt(0));
	const isBytes = /[\u0080-\u00ff]/.test(name) && !/[^\0-\u00ff]/.test(name);
	try {
		return (isBytes ? new TextDecoder('utf-8', { fatal: true }).decode(bytes) : name).normalize();
	} catch {
		return name.normalize();
	}
}

/** Whether the directory is there that ends a zip archive, before a comment of 64 KB at most. */
function hasEnd(bytes: Uint8Array): boolean {
	const end = bytes.subarray(-(22 + 0xffff));
	return end.some((_, at) => [0x50, 0x4b, 5, 6].every((sign, index) => end[at + index] === sign));
}

/** Whether a path stays inside of the folder that it is unpacked to. */
export function isPathInside(path: string): boolean {
	return (
		path !== '' &&
		!/^[/\\]|^[a-z]:|\0|\\/i.test(path) &&
		!path.split('/').some((part) => part === '..' || part === '.')
	);
}

/** Folders, and what systems put beside a person's files. */
function isIgnored(path: string): boolean {
	return path.endsWith('/') || path.startsWith('__MACOSX/') || /(^|\/)(\.|Thumbs\.db$)/.test(path);
}

function archiveError(reason: string): AppError {
	return new AppError('validation', `This archive ${reason}.`);
}

/** A file of an archive as text. */
export function textOf(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes).replace(/^\uFEFF/, '');
}
