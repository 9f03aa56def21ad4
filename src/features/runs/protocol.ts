/** Messages between the page and the worker that runs a program, over a port of their own. */

/** Limits of a program: bytes of memory, and characters that one block may print. */
export const LIMITS = { memory: 1024 ** 3, output: 100_000 };

/** The blocks of a program from the first one on; those before `from` have been run. */
export type Order = { sources: string[]; from: number };

/** A piece of what a block printed, or how the run ended. */
export type Report =
	| { kind: 'ready' }
	| { kind: 'printed'; block: number; text: string }
	| { kind: 'flood'; block: number }
	| { kind: 'failed'; block: number; message: string }
	| { kind: 'exited'; block: number; code: number; words: string }
	| { kind: 'done' };
