type Position = { scrollY: number; innerHeight: number; scrollHeight: number };

/** How far a page is scrolled, from 0 to 100. A page that fits into its window has nowhere to go: 0. */
export function scrollDepth({ scrollY, innerHeight, scrollHeight }: Position): number {
	const way = scrollHeight - innerHeight;
	// The last pixel is often out of reach where the page is zoomed.
	if (way <= 1) return 0;
	return scrollY >= way - 1 ? 100 : Math.max(0, (scrollY / way) * 100);
}

/** The depth of this page now, and after each scroll until the answer is true. */
export function onScrollDepth(listener: (depth: number) => boolean): void {
	const listening = new AbortController();
	function tell() {
		const { scrollHeight } = document.documentElement;
		if (listener(scrollDepth({ scrollY, innerHeight, scrollHeight }))) listening.abort();
	}
	addEventListener('scroll', tell, { passive: true, signal: listening.signal });
	tell();
}
