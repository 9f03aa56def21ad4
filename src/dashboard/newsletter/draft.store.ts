import * as z from 'zod/mini';
import { randomId } from '#src/lib/random-id.ts';
import { storedMap } from '#src/lib/stored.ts';

const EMPTY = {
	/** The letter’s id from its first word on: sent twice, it is one letter. */
	id: '',
	subject: '',
	preview: '',
	content: '',
	topic: '',
	source: '',
	label: '',
	/** Local time, as the browser's own field gives it. */
	sendAt: '',
};
type LetterDraft = typeof EMPTY;

/** The letter that is being written, in this browser until it is sent. */
export const $letterDraft = storedMap('desk.letter', z.string());

/** Returns what is stored of the letter, with empty fields for the rest. */
export const draftOf = (stored: Readonly<Record<string, string>>): LetterDraft => ({
	...EMPTY,
	...stored,
});

export function editDraft(changes: Partial<LetterDraft>): void {
	$letterDraft.set({ id: randomId(), ...$letterDraft.get(), ...changes });
}

export function discardDraft(): void {
	$letterDraft.set({});
}
