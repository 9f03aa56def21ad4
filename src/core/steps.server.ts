import { outageOf, withoutValues } from '#db/outage.ts';
import { nextTurn } from './batches.server.ts';

/** Work, and the name that its failure is logged under. */
type NamedStep = readonly [name: string, work: () => Promise<unknown>];

/**
 * Runs steps one after the other, each by itself: one that fails is logged by its name, and the next one runs. Throws in
 * the end if any failed, so that the caller's schedule counts as failed; by its cause an outage is known for one.
 */
export async function runEach(steps: readonly NamedStep[]): Promise<void> {
	const failed: string[] = [];
	let cause: unknown;
	for (const [name, work] of steps) {
		try {
			await work();
		} catch (error) {
			failed.push(name);
			cause = error;
			console.error(`${name} failed.`, outageOf(error) ?? withoutValues(error));
		}
		await nextTurn();
	}
	if (failed.length > 0)
		throw new Error(`${failed.length} of ${steps.length} steps failed: ${failed.join(', ')}.`, {
			cause,
		});
}
