/** How text stands in an element: as paragraphs, as paragraphs where there are several, as one run of words, or not at all. */
type Kind = 'flow' | 'loose' | 'words' | 'frame';

const KINDS: Record<string, Kind> = {
	...ofKind(
		'flow',
		'address article aside blockquote center details div fieldset footer form header hgroup main nav section',
	),
	...ofKind('loose', 'li td th dd figure'),
	...ofKind('words', 'p h1 h2 h3 h4 h5 h6 dt caption figcaption summary legend'),
	...ofKind('frame', 'ul ol menu dl table thead tbody tfoot tr colgroup'),
};
/** Elements that stand by themselves between paragraphs, and have no end. */
const ALONE = new Set(['hr', 'col']);
/** Elements that end where one of these begins, up to the element around them. */
const ENDS: Record<string, [ended: string[], within: string[]]> = {
	li: [['li'], ['ul', 'ol', 'menu']],
	dt: [['dt', 'dd'], ['dl']],
	dd: [['dt', 'dd'], ['dl']],
	td: [['td', 'th'], ['tr']],
	th: [['td', 'th'], ['tr']],
	tr: [['tr', 'td', 'th'], ['table']],
};

type Block = { name: string; open: string; close: string; kind: Kind; parts: (Block | string)[] };

/** A tag, or what stands for a whole block that was put aside. */
const MARK = /\u0001\d+\u0001|<(\/?)([a-z][a-z0-9-]*)(?:"[^"<]*"|'[^'<]*'|[^'"<>])*>/gi;

/**
 * Returns the HTML that WordPress shows for a text of its classic editor: empty lines end paragraphs, also beside and inside of
 * block elements, and line breaks are kept within them. With `hasBlocks`, the text is of its newer editor, which writes
 * elements itself: only words outside of all are completed.
 */
export function withParagraphs(source: string, hasBlocks = false): string {
	const root: Block = { name: '', open: '', close: '', kind: 'flow', parts: [] };
	const stack = [root];
	const top = () => stack.at(-1)!;
	let words = '';
	const flush = () => {
		if (words !== '') top().parts.push(words);
		words = '';
	};
	const closeTo = (depth: number) => {
		flush();
		stack.splice(depth);
	};
	let from = 0;
	for (const { 0: mark, 1: slash, 2: tag = '', index } of source.matchAll(MARK)) {
		const name = tag.toLowerCase();
		const kind = KINDS[name];
		words += source.slice(from, index);
		from = index + mark.length;
		if (!kind && !ALONE.has(name) && tag !== '') {
			words += mark;
			continue;
		}
		if (slash) {
			const depth = stack.findLastIndex((block) => block.name === name);
			if (depth > 0) closeTo(depth);
			continue;
		}
		const [ended = [], within = []] = ENDS[name] ?? [];
		const around = stack.findLastIndex((block) => within.includes(block.name));
		const begun = stack.findIndex((block, depth) => depth > around && ended.includes(block.name));
		if (begun > 0) closeTo(begun);
		// A run of words holds no block: it ends before it.
		if (top().kind === 'words') closeTo(stack.length - 1);
		flush();
		if (!kind) {
			top().parts.push(alone(mark));
			continue;
		}
		const block: Block = { name, open: mark, close: `</${name}>`, kind, parts: [] };
		top().parts.push(block);
		stack.push(block);
	}
	words += source.slice(from);
	flush();
	return htmlOf(root, !hasBlocks, hasBlocks).trim();
}

function ofKind(kind: Kind, names: string): Record<string, Kind> {
	return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

const alone = (html: string): Block => ({
	name: '',
	open: html,
	close: '',
	kind: 'frame',
	parts: [],
});

function htmlOf(
	{ name, open, close, kind, parts }: Block,
	breaks: boolean,
	hasBlocks: boolean,
): string {
	const runs = parts.flatMap((part): (Block | string)[] =>
		typeof part === 'string' ? part.split(/\n\s*\n/).filter((run) => run.trim() !== '') : [part],
	);
	const isLoose =
		kind === 'loose' && name !== 'figure' && runs.filter(isRun).filter(isSeen).length > 1;
	const isFlow = kind === 'flow' || (isLoose && !hasBlocks);
	const made = runs.map((run) => {
		if (typeof run !== 'string') return htmlOf(run, !hasBlocks, hasBlocks);
		if (kind === 'frame') return run.trim();
		const text = breaks || name === '' ? withBreaks(run.trim()) : run;
		return isFlow && isSeen(run) ? `<p>${text}</p>` : text;
	});
	if (name === 'p')
		return made
			.filter(isSeen)
			.map((text) => `${open}${text}${close}`)
			.join('\n');
	return `${open}${made.join(kind === 'words' ? '<br>\n' : '\n')}${close}`;
}

const isRun = (part: Block | string) => typeof part === 'string';

/** Whether a run shows anything: tags alone, such as the end of a link, are no paragraph. */
function isSeen(run: Block | string): boolean {
	return (
		typeof run === 'string' &&
		/[^\s]/.test(
			run.replace(/<(?!img|iframe|video|audio|object|embed|input|svg|math)[^>]*>|&nbsp;/gi, ''),
		)
	);
}

function withBreaks(run: string): string {
	return run.replace(/(<br\s*\/?>)?[ \t]*\n[ \t]*/gi, '<br>\n');
}
