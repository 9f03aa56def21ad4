import { atom } from 'nanostores';

/** The site's name as it is stored, which its pages may not show yet. Empty before it is known. */
export const $siteName = atom('');
