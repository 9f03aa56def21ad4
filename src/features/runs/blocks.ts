/** Acts on the buttons of a block. Loaded by the first click. */
import type { RunLanguage } from '#src/core/articles/program.ts';
import { plural } from '#src/lib/text.ts';
import { compareLines, outputOf, type Line } from './compare.ts';
import { codeOf, PYTHON_MB, say, type Action } from './block.ts';
import { Machine, SlowStart, type Outcome } from './machine.ts';
import { LIMITS } from './protocol.ts';

/** The blocks of one language in a text, and the machine that has run some of them. */
type Program = {
	language: RunLanguage;
	blocks: HTMLElement[];
	machine?: Machine | undefined;
	/** The block whose run has not ended, and what ends it. */
	running?: { block: HTMLElement; stop: AbortController } | undefined;
	/** Sources that ran to their end in the machine. */
	ran: string[];
};

const programs = new WeakMap<HTMLElement, Program>();

export function act(block: HTMLElement, action: Action): void {
	const program = programOf(block);
	if (action === 'edit') return edit(program, block);
	if (action === 'reset') return reset(program, block);
	if (program.running?.block === block) return program.running.stop.abort();
	void run(program, block);
}

/** Returns a block's program; a text that was rendered again has another. */
function programOf(block: HTMLElement): Program {
	const language = block.dataset['run'] as RunLanguage;
	const text = block.closest('.prose') ?? block.ownerDocument;
	const blocks = [...text.querySelectorAll<HTMLElement>(`figure[data-run="${language}"]`)];
	const known = blocks.map((one) => programs.get(one)).find(Boolean);
	const program: Program = known ?? { language, blocks, ran: [] };
	program.blocks = blocks;
	for (const one of blocks) programs.set(one, program);
	return program;
}

const editorOf = (block: HTMLElement) => block.querySelector<HTMLTextAreaElement>('textarea');
const sourceOf = (block: HTMLElement) => editorOf(block)?.value ?? codeOf(block);

/** Returns what the article says that a block prints. */
function printedOf({ nextElementSibling: next }: HTMLElement): string {
	return next?.matches('[data-printed]') ? codeOf(next as HTMLElement) : '';
}

function edit(program: Program, block: HTMLElement): void {
	const open = editorOf(block);
	if (open) return open.focus();
	const editor = block.ownerDocument.createElement('textarea');
	editor.className = 'run-editor';
	editor.value = codeOf(block);
	editor.rows = editor.value.split('\n').length + 1;
	editor.spellcheck = false;
	editor.autocapitalize = 'off';
	editor.setAttribute('aria-label', `Program, ${placeIn(program, block)}`);
	editor.addEventListener('keydown', (event) => {
		if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
		event.preventDefault();
		if (program.running?.block !== block) void run(program, block);
	});
	const place = block.ownerDocument.createElement('div');
	place.className = 'run-place no-print';
	place.append(editor);
	block.querySelector('figcaption')!.after(place);
	block.dataset['editing'] = '';
	editor.focus();
	void import('./colors.ts').then(
		({ colorEditor }) => colorEditor(editor, program.language),
		console.error,
	);
}

function reset(program: Program, block: HTMLElement): void {
	if (program.running?.block === block) program.running.stop.abort();
	block.querySelector('.run-place')?.remove();
	delete block.dataset['editing'];
	say(block).replaceChildren();
	delete block.dataset['outcome'];
}

const placeIn = ({ blocks }: Program, block: HTMLElement) =>
	`block ${blocks.indexOf(block) + 1} of ${blocks.length}`;

/** Runs the program up to a block, and shows what the block prints beside what the article says. */
async function run(program: Program, block: HTMLElement): Promise<void> {
	if (program.running) {
		program.running.stop.abort();
		forget(program);
	}
	const stop = new AbortController();
	const running = { block, stop };
	program.running = running;
	const last = program.blocks.indexOf(block);
	const sources = program.blocks.slice(0, last + 1).map(sourceOf);
	let output = '';
	const button = block.querySelector<HTMLElement>('[data-action="run"]')!;
	button.textContent = 'Stop';
	delete block.dataset['outcome'];
	paragraph(block, 'Starting …');
	let outcome: Outcome | undefined;
	try {
		const machine = await machineFor(program, block, sources, stop.signal);
		paragraph(block, 'Running …');
		outcome = await machine.run({ sources, from: program.ran.length }, (index, text) => {
			if (index === last) output += text;
		});
	} catch (error) {
		if (!stop.signal.aborted) console.error(error);
		if (stop.signal.aborted) outcome = { kind: 'stopped' };
		else if (error instanceof SlowStart) outcome = { kind: 'slow' };
	}
	if (program.running === running) {
		program.running = undefined;
		if (outcome?.kind === 'done') program.ran = sources;
		else forget(program);
	}
	button.textContent = 'Run';
	tell(program, block, outcome, output);
}

/** Ends a program's machine, with all that ran in it. */
function forget(program: Program): void {
	program.machine?.end();
	program.machine = undefined;
	program.ran = [];
}

/** Milliseconds after which a start is called slow. */
const SLOW_MS = 10_000;

/** Returns the machine that has run the blocks before this one and no other, or a new one. */
async function machineFor(
	program: Program,
	block: HTMLElement,
	sources: string[],
	signal: AbortSignal,
): Promise<Machine> {
	const { ran, language } = program;
	const goesOn =
		language === 'python' &&
		ran.length > 0 &&
		ran.length < sources.length &&
		ran.every((source, index) => source === sources[index]);
	const { machine } = program;
	if (goesOn && machine && moved(machine.frame, block)) {
		signal.addEventListener('abort', () => machine.end());
		return machine;
	}
	forget(program);
	let waiting: ReturnType<typeof setTimeout> | undefined;
	const progress = (share: number) => {
		if (share < 1)
			return paragraph(
				block,
				`Loading Python: ${Math.floor(share * PYTHON_MB)} of ${PYTHON_MB} MB`,
			);
		paragraph(block, 'Starting Python …');
		const words = 'Starting Python … This machine is slow or busy, so it takes longer.';
		waiting = setTimeout(() => paragraph(block, words), SLOW_MS);
	};
	const started = await Machine.start(language, block, progress, signal).finally(() =>
		clearTimeout(waiting),
	);
	if (language === 'python') {
		for (const size of block.ownerDocument.querySelectorAll('.run-size')) size.remove();
	}
	program.machine = started;
	signal.addEventListener('abort', () => started.end());
	return started;
}

/** Moves a frame to another block without ending what is in it, where the browser can. */
function moved(frame: HTMLIFrameElement, block: HTMLElement): boolean {
	const place = block as HTMLElement & { moveBefore?: (node: Node, before: Node | null) => void };
	if (!frame.isConnected) return false;
	if (frame.parentElement === block) return true;
	if (!place.moveBefore) return false;
	place.moveBefore(frame, null);
	return true;
}

function paragraph(block: HTMLElement, words: string, output = ''): void {
	const page = block.ownerDocument;
	// Said once: a screen reader reads each change.
	if (output === '' && say(block).textContent === words) return;
	const line = page.createElement('p');
	line.textContent = words;
	say(block).replaceChildren(line, ...(output ? [outputElement(page, [output])] : []));
}

function outputElement(page: Document, children: (Node | string)[]): HTMLElement {
	const shown = page.createElement('pre');
	shown.tabIndex = 0;
	shown.append(...children);
	return shown;
}

/** Says how a run ended, and shows what the block printed beside what the article says. */
function tell(
	program: Program,
	block: HTMLElement,
	outcome: Outcome | undefined,
	output: string,
): void {
	const page = block.ownerDocument;
	const printed = printedOf(block);
	const got = outputOf(output);
	const last = program.blocks.indexOf(block);
	const result = say(block);
	const isDone =
		outcome?.kind === 'done' ||
		(outcome?.kind === 'exited' && outcome.code === 0 && outcome.block === last);
	if (isDone && got !== printed && printed !== '') {
		block.dataset['outcome'] = 'different';
		const lines = compareLines(printed, got);
		const count = (wanted: Line['kind']) => lines.filter(({ kind }) => kind === wanted).length;
		const differing = Math.max(count('printed'), count('run'));
		paragraph(
			block,
			`Not the same as printed: ${plural(differing, 'line')} ${differing === 1 ? 'differs' : 'differ'}.`,
		);
		const shown = lines.map(({ text, kind }) => {
			const line = page.createElement(
				kind === 'both' ? 'span' : kind === 'printed' ? 'del' : 'ins',
			);
			const name = page.createElement('span');
			name.className = 'sr-only';
			name.textContent = kind === 'printed' ? 'Printed: ' : 'This run: ';
			line.append(...(kind === 'both' ? [] : [name]), `${text}\n`);
			return line;
		});
		result.append(outputElement(page, shown));
		return;
	}
	block.dataset['outcome'] = isDone ? 'same' : 'ended';
	paragraph(block, wordsOf(isDone ? { kind: 'done' } : outcome, last, got, printed), got);
}

function wordsOf(outcome: Outcome | undefined, last: number, got: string, printed: string): string {
	switch (outcome?.kind) {
		case 'done':
			if (printed !== '') return 'Same as printed.';
			return got === '' ? 'It ran, and prints nothing.' : 'It prints:';
		case 'failed': {
			const where =
				outcome.block < last ? `Block ${outcome.block + 1}, which runs before, ended` : 'It ended';
			return `${where} with an error. ${outcome.message}`;
		}
		case 'exited':
			return outcome.block < last
				? `Block ${outcome.block + 1}, which runs before, ended the program with exit code ${outcome.code}.`
				: `It ended with exit code ${outcome.code}. ${outcome.words}`.trim();
		case 'flood':
			return `Stopped: it prints more than ${LIMITS.output.toLocaleString('en-US')} characters.`;
		case 'lost':
			return 'Stopped: it took more memory than a program has here.';
		case 'slow':
			return 'It has not started in three minutes: this machine is slow or busy. Please try again.';
		case 'stopped':
			return 'Stopped.';
		case undefined:
			return 'It could not be loaded. Please check the connection and try again.';
	}
}
