import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { CONTINUE, EXIT, visit } from 'unist-util-visit';
import { parseHtml, writeArticle } from '#src/core/articles/sanitize.ts';
import { element, isClassed, text } from '#src/lib/hast.ts';

/** Where a claim of an article comes from, as its page shows it. */
export type Followed = {
	/** HTML of the first program that runs, and of what it prints; lines that name a number of the claim are marked. */
	program: string;
	output: string;
	/** The first sentence under "What was varied", if there is such a part. */
	varied: string;
	sources: number;
};

/** Follows the claim of an article through its HTML. Returns null where no program's output names a number of it. */
export function followClaim(html: string, excerpt: string): Followed | null {
	const tree = parseHtml(html);
	const program = find(tree, ({ properties }) => properties.dataRun !== undefined);
	const output = find(tree, ({ properties }) => properties.dataPrinted !== undefined);
	if (!program || !output) return null;
	const numbers: readonly string[] = excerpt.match(/\d[\d,.]*%|\d(?:[\d,.]*\d)?/g) ?? [];
	const named = (line: string) => numbers.some((number) => line.split(/\s+/).includes(number));
	const lines = toString(output).split('\n');
	if (!lines.some(named)) return null;
	const marked = lines.map((line, at) => {
		const end = text(at < lines.length - 1 ? '\n' : '');
		return [named(line) ? element('mark', {}, [text(line)]) : text(line), end];
	});
	delete program.properties.dataRun;
	const code = element('code', {}, marked.flat());
	output.children = [element('pre', { tabIndex: 0 }, [code])];
	return {
		program: htmlOf(program),
		output: htmlOf(output),
		varied: /^.*?[.!?](?= |$)/s.exec(paragraphUnder(tree, 'what-was-varied'))?.[0] ?? '',
		sources: countSources(tree),
	};
}

function find(tree: Root, isIt: (node: Element) => boolean): Element | undefined {
	let found: Element | undefined;
	visit(tree, 'element', (node) => {
		if (!isIt(node)) return CONTINUE;
		found = node;
		return EXIT;
	});
	return found;
}

function paragraphUnder(tree: Root, id: string): string {
	const elements = tree.children.filter((node) => node.type === 'element');
	const heading = elements.findIndex(({ properties }) => properties.id === id);
	const next = heading === -1 ? undefined : elements[heading + 1];
	return next?.tagName === 'p' ? toString(next) : '';
}

function countSources(tree: Root): number {
	const notes = find(tree, (node) => isClassed(node, 'footnotes'));
	let count = 0;
	if (notes) visit(notes, { tagName: 'li' }, () => void count++);
	return count;
}

const htmlOf = (node: Element) => writeArticle({ type: 'root', children: [node] });
