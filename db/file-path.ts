import { fileURLToPath } from 'node:url';

/**
 * Returns the path of a `file:` URL, or undefined for another URL. Relative paths are relative to the working
 * directory.
 */
export function filePath(url: string): string | undefined {
	if (!url.startsWith('file:')) return undefined;
	return url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length);
}
