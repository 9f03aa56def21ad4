import { isSelectable } from './reader.ts';

/** A selection that shows the toolbar. */
export type Selected = { text: string; range: Range; byTouch: boolean };

/** Time without changes after which a selection is complete. */
const SETTLE_MS = 200;

/** State of the last press, tracked from the start because the island is hydrated later. */
let isPressed = false;
let byTouch = false;

/**
 * Calls back with the selection inside an element once it is stable, or undefined if it is not of the right
 * length. Silent while a mouse button is held.
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
	// A triple click on the last paragraph selects beyond the text.
	if (!root.contains(range.endContainer)) range.setEnd(root, root.childNodes.length);
	const text = selection.toString().trim();
	return isSelectable(text) ? { text, range, byTouch } : undefined;
}
