/** Parts of a page that are not of its text. */
const NOT_TEXT =
	'button, .anchor, .run-bar, [data-live], dialog, noscript, script, style, template, [hidden]';

/** A part of an article as it is copied. */
type Passage = { text: string; html: string };

/**
 * Returns a part of an article with each formula as TeX in its text and as MathML in its HTML. A formula of which a part is
 * selected comes whole.
 */
export function passageOf(selected: Range): Passage {
	const range = selected.cloneRange();
	const start = formulaAround(range.startContainer);
	if (start) range.setStartBefore(start);
	const end = formulaAround(range.endContainer);
	if (end) range.setEndAfter(end);
	const shown = document.createElement('div');
	// As an article's text is, so that its words are told apart from each other as they are seen. In a box without width
	// WebKit sees no code.
	shown.className = 'prose fixed top-0 -left-[200rem] w-[60rem]';
	shown.append(range.cloneContents());
	for (const part of shown.querySelectorAll(NOT_TEXT)) part.remove();
	const html = shown.innerHTML;
	for (const formula of shown.querySelectorAll('math')) {
		const mark = formula.getAttribute('display') === 'block' ? '$$' : '$';
		const tex = document.createElement('span');
		tex.style.whiteSpace = 'pre';
		tex.textContent = `${mark}${formula.getAttribute('alttext') ?? ''}${mark}`;
		formula.replaceWith(tex);
	}
	const code = elementOf(range.commonAncestorContainer)?.closest('pre');
	document.body.append(shown);
	if (code) shown.style.whiteSpace = 'pre';
	const text = shown.innerText;
	shown.remove();
	return { text, html };
}

/** Makes what is copied of an article by hand hold TeX where it has formulas. */
export function copyFormulas(root: HTMLElement): void {
	document.addEventListener('copy', (event) => {
		// Fields have a selection of their own, beside which Firefox keeps that of the page.
		if (event.target instanceof Element && event.target.closest('input, textarea')) return;
		const selection = getSelection();
		if (!event.clipboardData || !selection?.rangeCount || selection.isCollapsed) return;
		const range = selection.getRangeAt(0);
		const touched = [...root.querySelectorAll('math')].some((math) => range.intersectsNode(math));
		if (!touched) return;
		const { text, html } = passageOf(range);
		event.clipboardData.setData('text/plain', text);
		event.clipboardData.setData('text/html', html);
		event.preventDefault();
	});
}

const elementOf = (node: Node) => (node instanceof Element ? node : node.parentElement);

const formulaAround = (node: Node) => elementOf(node)?.closest('math');
