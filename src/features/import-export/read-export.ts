import * as z from 'zod/mini';
import { AppError } from '#src/lib/errors.ts';
import { importRow } from '#src/features/newsletter/subscribers.ts';
import { textOf, type Files } from './archive.ts';
import { brokenJsonMessage } from './places.ts';
import {
	emptyBundle,
	importedCategory,
	importedComment,
	importedMedia,
	importedPost,
	type Bundle,
} from './bundle.ts';

/** Manifest that identifies our own archives and their version. */
export const MANIFEST = 'archive.json';
export const ARCHIVE_VERSION = 1;
const manifest = z.object({ version: z.number() });
/** An archive of all rows, which a command restores. Its format is not named: a renamed site's scripts hold no other name. */
const wholeArchive = z.object({ format: z.string(), tables: z.record(z.string(), z.unknown()) });
const WHOLE =
	'This is a whole archive, which takes the place of a site: npm run restore-archive restores it into an empty database. To bring articles into this site, choose the file that “Export everything” made.';
/** Earlier archives named it after the site: what tells it from other files is when it was written. */
const earlierManifest = z.extend(manifest, { exportedAt: z.string() });
const storedMedia = z.extend(importedMedia, { file: z.string() });

/** Returns the name of an archive's manifest, or undefined if it is none of ours. */
export function manifestOf(files: Files): string | undefined {
	if (files.has(MANIFEST)) return MANIFEST;
	const names = [...files.keys()].filter((name) => /^[\w-]+\.json$/.test(name));
	return names.find((name) => {
		try {
			return earlierManifest.safeParse(JSON.parse(textOf(files.get(name)!))).success;
		} catch {
			return false;
		}
	});
}

/** Reads an archive that `exportAll` made: the same posts, categories, comments, subscribers and images. */
export function readExport(files: Files, name: string): Bundle {
	const bundle = emptyBundle('Site archive');
	const given = json(files, name);
	if (wholeArchive.safeParse(given).success) throw new AppError('validation', WHOLE);
	const { data, success } = manifest.safeParse(given);
	if (!success) throw new AppError('validation', `${name} of this archive has no version.`);
	const { version } = data;
	if (version > ARCHIVE_VERSION) {
		throw new AppError('validation', 'This archive is from a newer version of this program.');
	}
	/** The entries of a file that are what they should be; the others are told. */
	const read = <Out>(name: string, kind: string, schema: z.ZodMiniType<Out>): Out[] => {
		const entries = json(files, `data/${name}.json`);
		return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown, index) => {
			const result = schema.safeParse(entry);
			if (result.success) return [result.data];
			const { path, message } = result.error.issues[0]!;
			bundle.items.push({
				kind,
				outcome: 'left',
				notes: [{ what: 'It is not what it should be', detail: `${path.join('.')}: ${message}` }],
				where: `data/${name}.json, entry ${index + 1}`,
			});
			return [];
		});
	};
	bundle.categories = read('categories', 'category', importedCategory);
	bundle.posts = read('posts', 'post', importedPost);
	bundle.comments = read('comments', 'comment', importedComment);
	bundle.subscribers = read('subscribers', 'subscriber', importRow);
	for (const { file, ...image } of read('media', 'image', storedMedia)) {
		const bytes = files.get(file);
		if (bytes) bundle.media.push({ ...image, bytes });
		else {
			const notes = [{ what: 'It is not in the archive' }];
			bundle.items.push({ kind: 'image', outcome: 'left', notes, where: file });
		}
	}
	return bundle;
}

function json(files: Files, name: string): unknown {
	const bytes = files.get(name);
	const text = bytes ? textOf(bytes) : '[]';
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		throw new AppError('validation', `${name} of this archive: ${brokenJsonMessage(text, error)}`);
	}
}
