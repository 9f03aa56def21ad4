import { noteVisit } from '#src/features/home/home.api.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';

/** A visit is over after an hour, so that this is often enough. */
const PAUSE_MS = 5 * MINUTE;
let noted = -Infinity;

/** Notes that somebody is at the desk, which tells the next visit what is new. */
export function noteHere(): void {
	if (performance.now() - noted < PAUSE_MS) return;
	noted = performance.now();
	// Without a line, or signed out, this is no visit that counts.
	call(noteVisit, {}).catch(() => {});
}
