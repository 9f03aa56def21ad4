import { atom } from 'nanostores';

/** How often an image was described beside a post: what looks for descriptions looks again. */
export const $described = atom(0);
