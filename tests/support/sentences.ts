/** Reads what a site says: the sentences of a page, a feed, a script, an email. Names of controls are none. */
import { JSDOM } from 'jsdom';
import ts from 'typescript';

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** What a person presses or fills in, and what is no prose. */
const LABELS =
	'script, style, svg, button, .button, label, legend, option, th, dt, kbd, code, pre, nav, input';
const INLINE =
	'a, abbr, b, bdi, cite, del, em, i, ins, mark, q, s, small, span, strong, sub, sup, time, u, wbr'.split(
		', ',
	);
const SPOKEN = ['alt', 'title', 'aria-label', 'placeholder', 'data-text'];

/** Returns the sentences of a text. */
function sentencesIn(text: string): string[] {
	return [...segmenter.segment(text.replace(/\s+/g, ' '))]
		.map(({ segment }) => segment.trim())
		.filter(isSentence);
}

/** Returns whether words are more than a name: six, or three that end as a sentence does. Addresses are none. */
export function isSentence(text: string): boolean {
	if (/^\w+:\S*\/\S*$|\w=\w/.test(text)) return false;
	const words = text.match(/\p{L}[\p{L}\p{N}’'-]*/gu)?.length ?? 0;
	return words > 5 || (words > 2 && /[.?!]["”’)]?$/.test(text));
}

/** Returns the sentences of a page: its text, what its attributes and its head say, and its structured data. */
export function sentencesOfHtml(html: string): string[] {
	return sentencesOfElement(new JSDOM(html).window.document.documentElement);
}

function sentencesOfElement(root: Element): string[] {
	const texts: string[] = [];
	for (const meta of root.querySelectorAll('meta[content]'))
		if (
			!/viewport|color|robots|:(url|image|type)$/.test(nameOf(meta)) &&
			!meta.hasAttribute('http-equiv')
		)
			texts.push(meta.getAttribute('content')!);
	for (const data of root.querySelectorAll('script[type="application/ld+json"]'))
		texts.push(...stringsOf(JSON.parse(data.textContent)));
	for (const name of SPOKEN)
		for (const element of root.querySelectorAll(`[${name}]`))
			if (!element.matches(LABELS)) texts.push(element.getAttribute(name)!);
	for (const template of root.querySelectorAll('template'))
		template.replaceWith(...template.content.childNodes);
	// Without scripts the parser leaves these as elements.
	for (const label of root.querySelectorAll(LABELS)) label.replaceWith('\n');
	let block = '';
	const walk = (node: Node) => {
		if (node.nodeType === node.TEXT_NODE) block += node.textContent;
		if (node.nodeType !== node.ELEMENT_NODE) return;
		const isInline = INLINE.includes((node as Element).localName);
		if (!isInline) flush();
		for (const child of node.childNodes) walk(child);
		if (!isInline) flush();
	};
	const flush = () => {
		texts.push(block);
		block = '';
	};
	walk(root);
	flush();
	return texts.flatMap(sentencesIn);
}

const nameOf = (meta: Element) => meta.getAttribute('name') ?? meta.getAttribute('property') ?? '';

/** Returns the sentences of a feed or another document of XML, in which texts may be HTML. */
export function sentencesOfXml(xml: string): string[] {
	const { document } = new JSDOM(xml, { contentType: 'application/xml' }).window;
	for (const style of document.querySelectorAll('style')) style.remove();
	return [...document.querySelectorAll('*')]
		.filter((element) => element.childElementCount === 0)
		.flatMap(({ textContent: text }) =>
			/<\w/.test(text) ? sentencesOfHtml(text) : sentencesIn(text),
		);
}

/** Returns the sentences among the texts of JSON. */
export const sentencesOfJson = (json: string): string[] =>
	stringsOf(JSON.parse(json)).flatMap((text) =>
		/<\w/.test(text) ? sentencesOfHtml(text) : sentencesIn(text),
	);

function stringsOf(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return value && typeof value === 'object' ? Object.values(value).flatMap(stringsOf) : [];
}

/** Returns the sentences of Markdown or plain text. */
export const sentencesOfText = (text: string): string[] =>
	text
		.split('\n')
		.map((line) =>
			line.replace(/^[\s>#*-]+/, '').replace(/\[([^\]]*)\]\([^)]*\)|https?:\S+/g, '$1'),
		)
		.flatMap(sentencesIn);

/** Returns the sentences among the literals of a script, with an ellipsis where one is filled in. */
export function sentencesOfScript(code: string): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isStringLiteralLike(node)) texts.push(node.text);
		else if (ts.isTemplateExpression(node))
			texts.push(
				[node.head, ...node.templateSpans.map(({ literal }) => literal)]
					.map(({ text }) => text)
					.join('…'),
			);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('script.js', code, ts.ScriptTarget.Latest));
	// What people read begins as a sentence does and holds no code.
	const isProse = (text: string) =>
		/\p{Ll}{2} /u.test(text) &&
		/^["“‘]?\p{Lu}|^…/u.test(text) &&
		!/[{}<>=;`\\]|\w\(|^\p{Lu}+ \//u.test(text);
	return texts.filter(isProse).flatMap(sentencesIn);
}
