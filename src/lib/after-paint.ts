/**
 * Does what a press leads to once the next frame is painted, so that what is pressed shows it first. It is done in any case: at
 * once where the page is left or hidden before.
 */
export function afterPaint(work: () => void): void {
	const waiting = new AbortController();
	const { signal } = waiting;
	function go(): void {
		if (signal.aborted) return;
		waiting.abort();
		work();
	}
	document.addEventListener('visibilitychange', go, { signal });
	requestAnimationFrame(() => setTimeout(go));
}
