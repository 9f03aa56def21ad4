import * as z from 'zod/mini';
import { randomId } from '#src/lib/random-id.ts';
import { storedMap } from '#src/lib/stored.ts';
import type { Mailing } from './mailing.ts';

type How = Mailing['how'];

/** Remembers on this device whether the last new article went into the next issue. A letter of its own has to be chosen each time. */
const $last = storedMap('desk_mailing', z.enum(['issue', 'none']));

export const lastHow = (): How => $last.get()['how'] ?? 'issue';
export function rememberHow(how: How): void {
	if (how !== 'letter') $last.set({ how });
}

/** Returns a way to mail an article, before anything else is said of it. */
export const mailingOf = (how: How): Mailing =>
	how === 'letter' ? { how, id: randomId(), sendAt: '' } : { how };
