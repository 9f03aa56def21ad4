import { atom } from 'nanostores';

/** Whether the site was put back to an earlier build, as it was told last. */
export const $isHeld = atom(false);
