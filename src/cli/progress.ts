import { SECOND } from '#src/lib/dates.ts';
import type { Progress } from '#src/build/builds.ts';

/** The current step, how far it is, and when it was last printed. */
let currentStep = { doing: '', since: 0, at: 0 };
let current: Progress = { doing: '' };

/** Returns what was reported last. */
export const currentProgress = (): Progress => current;

/** Says that a step goes on which reports nothing by itself. */
let reminder: NodeJS.Timeout | undefined;
const REMIND_MS = 5 * SECOND;

/** Prints progress: one line per step, and one every other second while it lasts. */
export function printProgress(progress: Progress): void {
	current = progress;
	const { doing, done, total } = progress;
	if (doing === currentStep.doing && Date.now() - currentStep.at < 2000 && done !== total) return;
	if (doing !== currentStep.doing) {
		printDuration();
		currentStep = { doing, since: Date.now(), at: 0 };
		reminder = setInterval(remind, REMIND_MS).unref();
	}
	currentStep.at = Date.now();
	console.log(total ? `${doing}: ${done} of ${total}…` : `${doing}…`);
}

function remind(): void {
	const { doing, since, at } = currentStep;
	if (Date.now() - at < REMIND_MS) return;
	currentStep.at = Date.now();
	console.log(`${doing}, for ${Math.round((Date.now() - since) / SECOND)} s now…`);
}

/** Prints how long the current step took, and the most bytes of memory that all of it took, where that is known. */
export function printDuration(peak?: number): void {
	const { doing, since } = currentStep;
	clearInterval(reminder);
	if (doing) console.log(`${doing} took ${((Date.now() - since) / SECOND).toFixed(1)} s.`);
	if (peak) console.log(`The build took at most ${Math.round(peak / 2 ** 20)} MB of memory.`);
	currentStep = { doing: '', since: 0, at: 0 };
}
