import { AppError } from '#src/lib/errors.ts';
import { openArchive, textOf } from './archive.ts';
import { isGhost, readGhost } from './read-ghost.ts';
import { MANIFEST, readExport } from './read-export.ts';
import { readMarkdown } from './read-markdown.ts';
import { isWordPress, readWordPress } from './read-wordpress.ts';
import type { Bundle } from './transfer.ts';

const UNKNOWN =
	'This is none of the files that can be imported: a zip archive of Markdown files or of this site, a Ghost export (JSON) or a WordPress export (XML).';

/** Reads any file that can be imported, by what is in it. Throws `validation` with the reason where it is none. */
export async function readFile(bytes: Uint8Array): Promise<Bundle> {
	if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
		const files = await openArchive(bytes);
		if (files.has(MANIFEST)) return readExport(files);
		// Ghost and WordPress files are sometimes packed.
		for (const [path, file] of files) {
			if (/\.(json|xml)$/i.test(path) && files.size <= 5) {
				const inner = readText(textOf(file));
				if (inner) return inner;
			}
		}
		const bundle = await readMarkdown(files);
		if (bundle.posts.length + bundle.problems.length > 0) return bundle;
		throw new AppError('validation', UNKNOWN);
	}
	const bundle = readText(textOf(bytes));
	if (!bundle) throw new AppError('validation', UNKNOWN);
	return bundle;
}

function readText(text: string): Bundle | undefined {
	if (isWordPress(text)) return readWordPress(text);
	try {
		const json: unknown = JSON.parse(text);
		return isGhost(json) ? readGhost(json) : undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}
