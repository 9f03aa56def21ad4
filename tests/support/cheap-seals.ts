import { onTestFinished } from 'vitest';
import { SEALING_COST } from '#src/lib/sealed.ts';

/** Lets this test seal and open files with a key that costs little to derive. What this process seals, no other opens. */
export function sealCheaply(): void {
	const { N } = SEALING_COST;
	SEALING_COST.N = 16;
	onTestFinished(() => void (SEALING_COST.N = N));
}
