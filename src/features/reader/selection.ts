import { isSelectable } from './reader.ts';

/** A selection that the toolbar shows for. */
export type Selected = { text: string; range: Range; byTouch: boolean };

/** How long a selection stands still before it counts as made. */
const SETTLE_MS = 200;

/** Of the last press, whoever watched then: the island wakes after it. */
let isPressed = false;
let byTouch = false;

/**
 * Tells the selection inside an element whenever it has settled, and undefined where there is none of the right length.
 * While a button of the mouse is held nothing is told.
 */
export function watchSelection(
	root: Element,
	listener: (selected: Selected | undefined) => void,
): () => void {
	const listening = new AbortController();
	const { signal } = listening;
	let timer: ReturnType<typeof setTimeout>;
	function schedule() {
		clearTimeout(timer);
		timer = setTimeout(() => {
			if (!isPressed) listener(selectedIn(root));
		}, SETTLE_MS);
	}
	document.addEventListener('selectionchange', schedule, { signal });
	document.addEventListener(
		'pointerdown',
		({ pointerType }) => {
			byTouch = pointerType === 'touch';
			isPressed = pointerType === 'mouse';
		},
		{ signal },
	);
	for (const end of ['pointerup', 'pointercancel', 'dragend']) {
		document.addEventListener(
			end,
			() => {
				isPressed = false;
				schedule();
			},
			{ signal },
		);
	}
	schedule();
	return () => {
		clearTimeout(timer);
		listening.abort();
	};
}

function selectedIn(root: Element): Selected | undefined {
	const selection = getSelection();
	if (!selection?.rangeCount || selection.isCollapsed) return undefined;
	const range = selection.getRangeAt(0).cloneRange();
	if (!root.contains(range.startContainer)) return undefined;
	if (range.startContainer.parentElement?.closest('[data-live]')) return undefined;
	// Three clicks on the last paragraph reach to what comes after it.
	if (!root.contains(range.endContainer)) range.setEnd(root, root.childNodes.length);
	const text = selection.toString().trim();
	return isSelectable(text) ? { text, range, byTouch } : undefined;
}
