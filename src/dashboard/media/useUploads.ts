import { useRef, useState } from 'react';
import { removedNote, type Media } from '#src/features/media/media.ts';
import { messageOf } from '#src/lib/errors.ts';
import { uploadImage } from './upload.store.ts';

/**
 * A picture on its way: which part of it (0 to 1) has left, null while it is scaled down; why it did not arrive; or what is to be
 * said of it after it has.
 */
export type Upload = {
	key: number;
	name: string;
	part: number | null;
	problem?: string;
	note?: string;
};

/** Pictures that are sent one after another. One that is refused stays in the list with its reason; the others go on. */
export function useUploads(onStored: (image: Media) => void) {
	const [uploads, setUploads] = useState<readonly Upload[]>([]);
	const next = useRef(0);
	const last = useRef<Promise<void>>(Promise.resolve());

	function add(files: readonly File[]): void {
		const added = files.map((file) => ({ file, key: next.current++ }));
		setUploads((all) => [
			...all.filter(({ problem, note }) => (problem ?? note) === undefined),
			...added.map(({ file: { name }, key }) => ({ key, name, part: null })),
		]);
		for (const { file, key } of added) last.current = last.current.then(() => send(file, key));
	}

	async function send(file: File, key: number): Promise<void> {
		const change = (changes: Partial<Upload>) =>
			setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)));
		try {
			const image = await uploadImage(file, (part) => change({ part }));
			const note = removedNote(image);
			if (note) change({ note });
			else dismiss(key);
			onStored(image);
		} catch (error) {
			change({ problem: messageOf(error) });
		}
	}

	function dismiss(key: number): void {
		setUploads((all) => all.filter((one) => one.key !== key));
	}

	return { uploads, add, dismiss };
}
