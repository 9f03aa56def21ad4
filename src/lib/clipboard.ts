/** Copies a text, also where a page has no clipboard of its own, as over plain http. Returns whether it did. */
export async function copyText(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return copyBySelection(text);
	}
}

/** Keys to press where a text could not be copied, but is selected. */
export const COPY_KEYS = 'Press Ctrl+C, or ⌘C on a Mac.';

function copyBySelection(text: string): boolean {
	const before = document.activeElement;
	const selection = getSelection();
	const ranges = Array.from({ length: selection?.rangeCount ?? 0 }, (_, index) =>
		selection!.getRangeAt(index),
	);
	const area = document.createElement('textarea');
	area.value = text;
	area.readOnly = true;
	area.className = 'sr-only';
	document.body.append(area);
	area.focus({ preventScroll: true });
	area.select();
	// The only other way there is.
	const { execCommand } = document as { execCommand?: (name: 'copy') => boolean };
	const isCopied = execCommand?.call(document, 'copy') ?? false;
	area.remove();
	if (before instanceof HTMLElement) before.focus({ preventScroll: true });
	selection?.removeAllRanges();
	for (const range of ranges) selection?.addRange(range);
	return isCopied;
}
