/** How a Python program ended, in words that say what that means here. */
import { LIMITS } from './protocol.ts';

/** An error that ended a program; `type` is its class in Python. */
type PythonError = { message: string; type?: string };
export type End =
	| { kind: 'exited'; code: number; words: string }
	| { kind: 'failed'; message: string };

/** Sentences of what a program cannot do here, by the words in which Python says that it ended. The second of memory is for sizes. */
const MEANINGS: readonly [RegExp, string][] = [
	[/^OSError: \[Errno 29\]/, 'Nobody can type here: a program gets no input.'],
	[/^SyntaxError: 'await' outside/, 'As in a file, await stands only inside an async function.'],
	[/^RuntimeError: Cannot stack switch/, 'Nothing here can wait: there is no event loop.'],
	[
		/^ModuleNotFoundError/,
		"Only Python's standard library is here, without what needs processes, windows or a terminal.",
	],
	[/^RuntimeError: can't start new thread/, 'A program has one thread here.'],
	[
		/^OSError: .*(?:does not support processes|Function not implemented)/,
		'A program can start no other one here.',
	],
	[
		/TLS not supported|^BlockingIOError|^(?:socket\.)?gaierror|^ConnectionRefusedError|URLError|^OSError: .*(?:Host is unreachable|Operation in progress)/,
		'A program has no network here.',
	],
	[/^FileNotFoundError/, 'A program has only the files here that it writes itself.'],
	[
		/^MemoryError|^OverflowError: .*index-sized/,
		`A program has ${LIMITS.memory / 1024 ** 3} GB of memory here.`,
	],
];

/** Returns how a program ended: by its own wish, or with an error, whose traceback begins in the program. */
export function endOf({ message, type }: PythonError): End {
	const lines = message.trimEnd().split('\n');
	const last = lines.findLastIndex((line) => /^[\w.]+(?::|$)/.test(line));
	const final = lines[last] ?? '';
	const killed = /^Program terminated with exit\((\d+)\)/.exec(message);
	if (killed) return { kind: 'exited', code: Number(killed[1]), words: '' };
	if (type === 'SystemExit') {
		const value = final.replace(/^SystemExit:? ?/, '');
		if (/^(?:None)?$/.test(value)) return { kind: 'exited', code: 0, words: '' };
		return /^-?\d+$/.test(value)
			? { kind: 'exited', code: Number(value), words: '' }
			: { kind: 'exited', code: 1, words: value };
	}
	// What is said after a module that is missing leads to another place.
	const missing = lines.findIndex((line) => line.startsWith('ModuleNotFoundError'));
	const end = missing === -1 ? lines.length : missing + 1;
	const own = lines.findIndex((line) => line.includes('File "block '));
	const shown = own === -1 ? lines.slice(end - 1, end) : ['Traceback:', ...lines.slice(own, end)];
	const said = missing === -1 ? final : lines[missing]!;
	const meaning = MEANINGS.find(([words]) => words.test(said))?.[1];
	return { kind: 'failed', message: [...shown, ...(meaning ? [meaning] : [])].join('\n') };
}
