/** Colors what is typed into a program's editor. Loaded by the first press of Edit. */
import javascript from 'highlight.js/lib/languages/javascript';
import python from 'highlight.js/lib/languages/python';
import { createLowlight } from 'lowlight';
import type { RunLanguage } from '#src/core/articles/program.ts';

const { highlight } = createLowlight({ js: javascript, python });
type Colored = ReturnType<typeof highlight>['children'][number];

/** Classes of the article's own code, by the names that the highlighter gives. */
const COLORS: Record<string, string> = {
	'hljs-keyword': 't-k',
	'hljs-comment': 't-c',
	'hljs-string': 't-s',
	'hljs-regexp': 't-s',
	'hljs-number': 't-v',
	'hljs-literal': 't-v',
	'hljs-built_in': 't-f',
	'hljs-title': 't-f',
};

/** Shows an editor's text in color below it, where the editor's own text is not seen. */
export function colorEditor(editor: HTMLTextAreaElement, language: RunLanguage): void {
	const page = editor.ownerDocument;
	const shown = page.createElement('div');
	shown.className = 'run-colors';
	shown.ariaHidden = 'true';
	const nodeOf = (node: Colored): Node | string => {
		if (node.type !== 'element') return 'value' in node ? node.value : '';
		const span = page.createElement('span');
		const names = node.properties['className'] ?? [];
		const color = names.map((name) => COLORS[name]).find(Boolean);
		if (color) span.className = color;
		span.append(...node.children.map(nodeOf));
		return span;
	};
	const color = () =>
		shown.replaceChildren(...highlight(language, editor.value).children.map(nodeOf), '\n');
	const follow = () => shown.scrollTo(editor.scrollLeft, editor.scrollTop);
	color();
	editor.addEventListener('input', color);
	editor.addEventListener('scroll', follow);
	editor.before(shown);
	follow();
}
