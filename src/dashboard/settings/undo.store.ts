import { atom } from 'nanostores';

/** The import that somebody asks to undo. */
export const $undoing = atom<string | null>(null);

/** The import or action that was undone last: what shows it looks again. */
export const $undone = atom<string | null>(null);
