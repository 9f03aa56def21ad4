import { AppError } from '#src/lib/errors.ts';
import { ARCHIVE_LIMITS, openArchive, textOf, type Files } from './archive.ts';
import { isGhost, readGhost } from './read-ghost.ts';
import { manifestOf, readExport } from './read-export.ts';
import { isNotionPage } from './notion-page.ts';
import { readMarkdown } from './read-markdown.ts';
import { isSubstack, readSubstack } from './read-substack.ts';
import { isWordPress, readWordPress } from './read-wordpress.ts';
import { brokenJsonMessage } from './places.ts';
import type { Bundle } from './bundle.ts';

const UNKNOWN =
	'This is none of the files that can be imported: a zip archive of Markdown files or of pages of Notion, the file that “Export everything” made, a Ghost export (JSON), a WordPress export (XML) or a Substack export (zip).';
const NO_FILES: Files = new Map();
/** How deep in an archive an export may lie. */
const MAX_FOLDERS = 3;

/** Tells what is being done, and how far it is. */
export type Progress = (words: string, done: number, total: number) => void;

/** Reads any file that can be imported, by what is in it. Throws `validation` with the reason where it is none. */
export async function readFile(
	bytes: Uint8Array,
	onProgress: Progress = () => {},
): Promise<Bundle> {
	if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
		const files = openWhole(bytes, (done, total) => onProgress('Unpacking', done, total));
		const manifest = manifestOf(files);
		if (manifest) return readExport(files, manifest);
		const bundle =
			(isSubstack(files) ? readSubstack(files) : await readPacked(files)) ??
			(await readMarkdown(files, (done, total) => onProgress('Reading', done, total)));
		const holdsPosts = bundle.items.some(({ kind }) => kind === 'post');
		if (bundle.posts.length > 0 || holdsPosts) return bundle;
		throw new AppError('validation', UNKNOWN);
	}
	const text = textOf(bytes);
	const bundle = isWordPress(text)
		? readWordPress([text], NO_FILES)
		: isNotionPage(text)
			? await readMarkdown(new Map([['page.html', bytes]]))
			: await readJson(text, NO_FILES);
	if (!bundle) throw new AppError('validation', UNKNOWN);
	return bundle;
}

/** A part of an export, as Notion packs it once more. */
const PART = /(^|\/)[^/]*-Part-\d+\.zip$/i;

/** Opens an archive, and the parts that it is made of as if they were one. */
function openWhole(bytes: Uint8Array, onFile: (done: number, total: number) => void): Files {
	const files = openArchive(bytes, onFile);
	const whole = new Map<string, Uint8Array>();
	let left = ARCHIVE_LIMITS.unpacked;
	for (const [path, file] of files) {
		if (!PART.test(path)) {
			whole.set(path, file);
			continue;
		}
		for (const [name, inner] of openArchive(file, onFile, { ...ARCHIVE_LIMITS, unpacked: left })) {
			left -= inner.length;
			whole.set(name, inner);
		}
	}
	return whole;
}

/** The export of Ghost or WordPress that is in an archive, with the images beside it. */
async function readPacked(files: Files): Promise<Bundle | undefined> {
	const near = [...files].filter(([path]) => path.split('/').length <= MAX_FOLDERS + 1);
	// WordPress puts a large site into several files.
	const texts = near
		.filter(([path]) => /\.xml$/i.test(path))
		.map(([, file]) => textOf(file))
		.filter(isWordPress);
	if (texts.length > 0) return readWordPress(texts, files);
	for (const [path, file] of near) {
		if (!/\.json$/i.test(path)) continue;
		const text = textOf(file);
		if (!/"posts"\s*:/.test(text)) continue;
		const bundle = await readJson(text, files);
		if (bundle) return bundle;
	}
	return undefined;
}

async function readJson(text: string, files: Files): Promise<Bundle | undefined> {
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch (error) {
		if (!/^\s*[{[]/.test(text)) return undefined;
		throw new AppError('validation', brokenJsonMessage(text, error));
	}
	return isGhost(json) ? readGhost(json, files) : undefined;
}
