import type { Processor } from 'unified';
import type { Code, Construct, Effects, State, TokenizeContext } from 'micromark-util-types';

declare module 'micromark-util-types' {
	interface TokenTypeMap {
		texText: 'texText';
		texFlow: 'texFlow';
		texData: 'texData';
	}
}
declare module 'mdast' {
	interface PhrasingContentMap {
		tex: Tex;
	}
	interface RootContentMap {
		tex: Tex;
	}
}
/** A formula with its delimiters. It becomes an element of `dataLatex`. */
interface Tex {
	type: 'tex';
	data: { hName: 'span' | 'div'; hProperties: { dataType: string; dataLatex: string } };
}

const DOLLAR = 36;
const BACKSLASH = 92;

/** Pairs of delimiters: `$…$` as Pandoc reads it, TeX's own, and those of kramdown, which escapes the backslash. */
const PAIRS: [open: string, close: string, takes: (tex: string) => boolean][] = [
	['$', '$', (tex) => !/^\s|\s$/.test(tex)],
	['\\(', '\\)', (tex) => isTex(tex) || !/\p{L}{3,}\s+\p{L}{2,}/u.test(tex)],
	['\\\\(', '\\\\)', () => true],
	['\\[', '\\]', isTex],
	['\\\\[', '\\\\]', isTex],
];
const ENVIRONMENT = /^\\begin\{([a-z]+\*?)\}/;

/** Whether brackets that other programs escape hold a formula and no words. */
function isTex(tex: string): boolean {
	return /\\[a-z]+|[=^<>]|(?<!\\)_/i.test(tex) || /^\s*\n/.test(tex);
}

/**
 * Adds `$…$`, `\(…\)`, `\[…\]` and `\begin{align}…\end{align}` to what a parser of Markdown knows. A dollar sign begins
 * a formula only before a sign that is no space; the next dollar sign must follow one and stand before no digit.
 */
export function remarkTex(this: Processor): void {
	const data = this.data();
	const text: Construct = { name: 'texText', tokenize: tokenizeText };
	const flow: Construct = { name: 'texFlow', tokenize: tokenizeFlow, concrete: true };
	(data.micromarkExtensions ??= []).push({
		text: { [DOLLAR]: text, [BACKSLASH]: text },
		flow: { [BACKSLASH]: flow },
	});
	(data.fromMarkdownExtensions ??= []).push({
		enter: {
			texText(token) {
				this.enter(texOf(this.sliceSerialize(token), 'inline'), token);
			},
			texFlow(token) {
				this.enter(texOf(this.sliceSerialize(token), 'block'), token);
			},
		},
		exit: {
			texText(token) {
				this.exit(token);
			},
			texFlow(token) {
				this.exit(token);
			},
		},
	});
}

function texOf(source: string, kind: 'inline' | 'block'): Tex {
	const tex = source.trim();
	const pair = pairOf(tex);
	const inside = pair ? tex.slice(pair[0].length, -pair[1].length) : tex;
	// GitHub and GitLab take signs of code inside the dollar signs.
	const dataLatex = inside.replace(/^`([^`]*)`$/, '$1');
	return {
		type: 'tex',
		data: {
			hName: kind === 'inline' ? 'span' : 'div',
			hProperties: { dataType: `${kind}-math`, dataLatex: dataLatex.trim() },
		},
	};
}

/** A line that ends with a formula as it is typed: between two dollar signs on each side, between one, or in TeX's brackets. */
const AT_END = [
	/(?<![\\$])\$\$((?:[^$\\]|\\.)+)\$\$$/,
	/(?<![\\$])\$(?!\s)((?:[^$\\]|\\.)+)(?<!\s)\$$/,
	/(?<!\\)\\\(((?:[^\\]|\\[^()])+)\\\)$/,
];

/** Returns the formula that a line ends with, and how it is written there. A digit that is typed next makes it a price. */
export function formulaAtEnd(line: string): { latex: string; source: string } | null {
	for (const pattern of AT_END) {
		const [source, tex = ''] = pattern.exec(line) ?? [];
		const isTaken = source?.startsWith('$') || pairOf(source ?? '')?.[2](tex);
		if (source && isTaken && tex.trim()) return { latex: tex.trim(), source };
	}
	return null;
}

function pairOf(source: string) {
	return PAIRS.find(([open]) => source.startsWith(open));
}

const isLineEnding = (code: Code) => code !== null && code < -2;
const charOf = (code: number) =>
	code >= 0 ? String.fromCodePoint(code) : isLineEnding(code) ? '\n' : ' ';

/** Returns what is between delimiters, or null where the closing one is missing or escaped. */
function contentOf(source: string, [open, close]: (typeof PAIRS)[number]): string | null {
	if (source.length < open.length + close.length || !source.endsWith(close)) return null;
	const tex = source.slice(open.length, -close.length);
	return close.length < 3 && /(?<!\\)(\\\\)*\\$/.test(tex) ? null : tex;
}

/** Signs of a formula at most. An end is looked for no farther. */
const MAX_LENGTH = 5000;
/** Environments in one another at most. */
const MAX_OPEN = 10;

/** Consumes signs one by one. `read` gets what came before the next one, and says where that leads. */
function consumer(
	effects: Effects,
	nok: State,
	read: (source: string, next: Code, last: string) => State | null,
) {
	let source = '';
	let last = '';
	let isInData = false;
	const leaveData = () => {
		if (isInData) effects.exit('texData');
		isInData = false;
	};
	const step: State = (code) => {
		const leads =
			read(source, code, last) ?? (code === null || source.length > MAX_LENGTH ? nok : null);
		if (leads || code === null) {
			leaveData();
			return (leads ?? nok)(code);
		}
		last = charOf(code);
		source += last;
		if (isLineEnding(code)) {
			leaveData();
			effects.enter('lineEnding');
			effects.consume(code);
			effects.exit('lineEnding');
			return step;
		}
		if (!isInData) effects.enter('texData');
		isInData = true;
		effects.consume(code);
		return step;
	};
	return step;
}

function tokenizeText(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
	// An escaped sign opens nothing, and an escaped dollar does not belong to what opens after it.
	const isEscaped = this.events.at(-1)?.[1].type === 'characterEscape';
	if (this.previous === BACKSLASH || (this.previous === DOLLAR && !isEscaped)) return nok;
	effects.enter('texText');
	const done: State = (code) => {
		effects.exit('texText');
		return ok(code);
	};
	let pair: (typeof PAIRS)[number] | undefined;
	return consumer(effects, nok, (source, next, last) => {
		if (!pair) {
			pair = pairOf(source);
			// Two dollar signs are the other extension's.
			if (pair?.[0] === '$' && next === DOLLAR) return nok;
			return pair || source.length < 3 ? null : nok;
		}
		const [open, close, takes] = pair;
		if (last === close.at(-1)) {
			const tex = contentOf(source, pair);
			const isPrice = open === '$' && next !== null && /\d/.test(charOf(next));
			if (tex !== null) return tex.trim() && !isPrice && takes(tex) ? done : nok;
		}
		// The one before has no end, and is not looked for again from each that follows.
		return last === open.at(-1) && open !== close && source.endsWith(open) ? nok : null;
	});
}

function tokenizeFlow(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
	effects.enter('texFlow');
	const done: State = (code) => {
		effects.exit('texFlow');
		return ok(code);
	};
	let lineStart = 0;
	let open = 0;
	return consumer(effects, nok, (source, next, last) => {
		if (next !== null && !isLineEnding(next)) {
			// A line that only follows a quotation or an item is not part of it.
			return last === '\n' && this.parser.lazy[this.now().line] ? nok : null;
		}
		const line = source.slice(lineStart);
		lineStart = source.length + 1;
		// No formula has an empty line in it.
		if (!line.trim()) return nok;
		const written = source.trimEnd();
		const name = ENVIRONMENT.exec(written)?.[1];
		if (name) {
			open += (line.match(/\\begin\{/g)?.length ?? 0) - (line.match(/\\end\{/g)?.length ?? 0);
			if (written.endsWith(`\\end{${name}}`) || this.interrupt) return done;
			return open > MAX_OPEN ? nok : null;
		}
		const pair = pairOf(written);
		if (!pair?.[0].endsWith('[') || (open++ > 0 && line.includes(pair[0]))) return nok;
		const tex = contentOf(written, pair);
		if (tex !== null) return tex.trim() && pair[2](tex) ? done : nok;
		// Text after the end: no formula of its own.
		if (line.replace(pair[0], '').includes(pair[1])) return nok;
		return this.interrupt ? (written === pair[0] ? done : nok) : null;
	});
}
