import * as z from 'zod/mini';
import { storedMap } from '#src/lib/stored.ts';

/** Parts of screens that are folded, on this device. */
export const $folded = storedMap('desk_folded', z.boolean());
