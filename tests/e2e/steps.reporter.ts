import type { Reporter, TestCase, TestResult, TestStep } from '@playwright/test/reporter';

/** Shorter steps are not what a test ran out of time for, in milliseconds. */
const SHORT_MS = 500;

/** Says at the end where the time of tests that failed went: without it, a test that ran out of time names its last step alone. */
export default class Steps implements Reporter {
	private readonly failures: string[] = [];

	onTestEnd(test: TestCase, result: TestResult): void {
		if (result.status === test.expectedStatus || result.status === 'skipped') return;
		const head = `Time of ${test.title} (${result.duration} ms):`;
		this.failures.push([head, ...linesOf(result.steps, '  ')].join('\n'));
	}

	onEnd(): void {
		for (const failure of this.failures) console.log(`\n${failure}`);
	}
}

/** Returns a line for each step that took long or never ended, with those inside it indented below. */
function linesOf(steps: TestStep[], indent: string): string[] {
	return steps
		.filter(({ duration }) => duration < 0 || duration >= SHORT_MS)
		.flatMap((step) => [
			`${indent}${step.duration < 0 ? 'not ended' : `${step.duration} ms`} ${step.title}`,
			...linesOf(step.steps, `${indent}  `),
		]);
}
