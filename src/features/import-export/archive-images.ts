import { DRAWING_PREFIX } from '#src/core/figures/drawings/library.ts';
import { randomId } from '#src/lib/random-id.ts';
import { mediaPath } from '#src/features/media/media.ts';
import type { Files } from './archive.ts';
import type { Bundle } from './bundle.ts';

const IMAGE = /\.(png|jpe?g|webp|avif|gif|svg)$/i;
const INLINE = /^data:image\/(png|jpeg|webp|avif|gif|svg\+xml)(?:;[\w=-]+)*?(;base64)?,([^]+)$/i;

/** The images of an archive: each that an article shows becomes a part of the bundle. */
export function archiveImages(bundle: Bundle, files: Files, now: Date) {
	const ids = new Map<string, string>();
	const byName = Map.groupBy(
		[...files.keys()].filter((path) => IMAGE.test(path)),
		(path) => path.split('/').at(-1)!.toLowerCase(),
	);

	function store(path: string, name: string, bytes: Uint8Array): string {
		const known = ids.get(path);
		if (known) return mediaPath(known);
		const id = `${name.endsWith('.svg') ? DRAWING_PREFIX : ''}${randomId()}`;
		ids.set(path, id);
		bundle.media.push({
			id,
			name: name.slice(-200),
			alt: '',
			createdAt: now.toISOString(),
			bytes,
		});
		return mediaPath(id);
	}

	/** The file that an address means, as it is named in the file at `base`. */
	function find(address: string, base: string): string | undefined {
		const isElsewhere = /^(https?:)?\/\//i.test(address);
		const path = decodePath(
			address.replace(/^(https?:)?\/\/[^/]*/i, '').split(/[?#]/, 1)[0]!,
		).normalize();
		const parts = path.split('/').filter((part) => part !== '' && part !== '.');
		const name = parts.at(-1)?.toLowerCase();
		if (!name) return undefined;
		if (!isElsewhere && !path.startsWith('/')) {
			const near = resolve(base, parts);
			if (near !== undefined && IMAGE.test(near) && files.has(near)) return near;
		}
		// WordPress and Ghost show smaller versions: "a-300x200.png", "size/w600/a.png".
		const names = [name, name.replace(/-\d+x\d+(?=\.\w+$)/, '').replace(/-scaled(?=\.\w+$)/, '')];
		const wanted = parts.filter((part, index) => !isSize(part, parts[index + 1]));
		for (const candidate of new Set(names)) {
			const scored = (byName.get(candidate) ?? []).map((path) => ({
				path,
				same: commonTailLength(path, wanted),
			}));
			const most = Math.max(0, ...scored.map(({ same }) => same));
			const best = scored.filter(({ same }) => same === most);
			// Of another site's address more than the file's name must agree.
			if (best.length === 1 && most >= (isElsewhere ? 2 : 1)) return best[0]!.path;
		}
		return undefined;
	}

	return {
		/** Where an image will be served, if it is in the archive or in its own address. */
		image(address: string, base = ''): string | undefined {
			const inline = INLINE.exec(address);
			if (inline) {
				const [, type = '', isBase64, data = ''] = inline;
				const bytes = isBase64 ? bytesOf(data) : new TextEncoder().encode(decodePath(data));
				return bytes && store(address, `image.${type.replace('+xml', '')}`, bytes);
			}
			if (ids.has(address)) return mediaPath(ids.get(address)!);
			const path = find(address, base);
			return path === undefined
				? undefined
				: store(path, path.split('/').at(-1)!, files.get(path)!);
		},
		/** Gives an image that has become a part of the bundle its words, where it has none. */
		describe(served: string, alt: string): void {
			const image = bundle.media.find(({ id }) => mediaPath(id) === served);
			if (image) image.alt ||= alt.slice(0, 500);
		},
		/** Whether an image has become a part of the bundle. */
		isUsed(address: string): boolean {
			return ids.has(find(address, '') ?? '');
		},
		/** Tells of the files that nothing has used; `isRead` says which were read themselves. */
		tellUnused(isRead: (path: string) => boolean) {
			for (const path of files.keys()) {
				if (ids.has(path) || isRead(path)) continue;
				const what = IMAGE.test(path)
					? 'No post shows it'
					: 'No post, and no image that can be stored';
				const kind = IMAGE.test(path) ? 'image' : 'other file';
				bundle.items.push({ kind, outcome: 'left', notes: [{ what }], where: path });
			}
		},
	};
}

/** A path as it is seen from the file at `base`; undefined where it leaves the archive. */
function resolve(base: string, parts: string[]): string | undefined {
	const path = base.split('/').slice(0, -1);
	for (const part of parts) {
		if (part !== '..') path.push(part);
		else if (path.pop() === undefined) return undefined;
	}
	return path.join('/');
}

/** How many parts at the end of a path are those of an address; the names have been compared. */
function commonTailLength(path: string, wanted: string[]): number {
	const parts = path.split('/');
	let same = 1;
	while (
		same < Math.min(parts.length, wanted.length) &&
		parts.at(-1 - same) === wanted.at(-1 - same)
	) {
		same++;
	}
	return same;
}

function isSize(part: string, next = ''): boolean {
	return (part === 'size' && /^w\d+(h\d+)?$/.test(next)) || /^w\d+(h\d+)?$/.test(part);
}

function decodePath(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

function bytesOf(base64: string): Uint8Array | undefined {
	try {
		const binary = atob(decodePath(base64).replace(/\s+/g, ''));
		return Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
	} catch {
		return undefined;
	}
}
