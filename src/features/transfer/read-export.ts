import * as z from 'zod/mini';
import { AppError } from '#src/lib/errors.ts';
import { importRow } from '#src/features/newsletter/subscribers.ts';
import { textOf, type Files } from './archive.ts';
import {
	emptyBundle,
	importedCategory,
	importedComment,
	importedMedia,
	importedPost,
	type Bundle,
} from './transfer.ts';

/** What says that an archive is one of ours, and of which form. */
export const MANIFEST = 'groundtruth.json';
export const ARCHIVE_VERSION = 1;
const manifest = z.object({ version: z.number() });
const storedMedia = z.extend(importedMedia, { file: z.string() });

/** Reads an archive that `exportAll` made: the same posts, categories, comments, subscribers and images. */
export function readExport(files: Files): Bundle {
	const bundle = emptyBundle('Groundtruth archive');
	const { version } = manifest.parse(json(files, MANIFEST));
	if (version > ARCHIVE_VERSION) {
		throw new AppError('validation', 'This archive is from a newer Groundtruth than this one.');
	}
	/** The entries of a file that are what they should be; the others are told. */
	const read = <Out>(name: string, schema: z.ZodMiniType<Out>): Out[] => {
		const entries = json(files, `data/${name}.json`);
		return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown, index) => {
			const result = schema.safeParse(entry);
			if (result.success) return [result.data];
			const { path, message } = result.error.issues[0]!;
			bundle.problems.push({
				where: `data/${name}.json, entry ${index + 1}`,
				what: `Left out: ${path.join('.')} ${message}`,
			});
			return [];
		});
	};
	bundle.categories = read('categories', importedCategory);
	bundle.posts = read('posts', importedPost);
	bundle.comments = read('comments', importedComment);
	bundle.subscribers = read('subscribers', importRow);
	for (const { file, ...image } of read('media', storedMedia)) {
		const bytes = files.get(file);
		if (bytes) bundle.media.push({ ...image, bytes });
		else bundle.problems.push({ where: file, what: 'This image is not in the archive.' });
	}
	return bundle;
}

function json(files: Files, name: string): unknown {
	const bytes = files.get(name);
	try {
		return bytes ? (JSON.parse(textOf(bytes)) as unknown) : [];
	} catch {
		throw new AppError('validation', `${name} of this archive is no JSON.`);
	}
}
