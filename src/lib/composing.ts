/** Where an input method is composing a word; its letters are in no value yet. */
let composed: Node | null = null;

/** Listens from the start of a page, because nothing tells afterwards that a composition is under way. */
export function followComposition(): void {
	addEventListener('compositionstart', ({ target }) => (composed = target as Node), true);
	addEventListener('compositionend', () => (composed = null), true);
}

export function isComposingIn(element: Element): boolean {
	return element.contains(composed);
}
