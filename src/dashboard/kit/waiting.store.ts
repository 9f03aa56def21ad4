import { atom } from 'nanostores';

/** Changes when a comment was decided or a message was read: how much waits is counted again. */
export const $decisions = atom(0);
export const countAgain = () => $decisions.set($decisions.get() + 1);
