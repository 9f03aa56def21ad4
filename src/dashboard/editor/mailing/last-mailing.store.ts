import * as z from 'zod/mini';
import { randomId } from '#src/lib/random-id.ts';
import { storedMap } from '#src/lib/stored.ts';
import type { Mailing } from './mailing.ts';

type How = Mailing['how'];

/** How the last new article was mailed, on this device: the next one is likely to be mailed so, too. */
const $last = storedMap('desk_mailing', z.enum(['issue', 'letter', 'none']));

export const lastHow = (): How => $last.get()['how'] ?? 'issue';
export const rememberHow = (how: How): void => $last.set({ how });

/** Returns a way to mail an article, before anything else is said of it. */
export const mailingOf = (how: How): Mailing =>
	how === 'letter' ? { how, id: randomId(), sendAt: '' } : { how };
