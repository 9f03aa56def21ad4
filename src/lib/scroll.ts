type Position = { scrollY: number; innerHeight: number; scrollHeight: number };

/** Returns how far a page is scrolled, from 0 to 100. A page that fits into its window returns 0. */
export function scrollDepth({ scrollY, innerHeight, scrollHeight }: Position): number {
	const way = scrollHeight - innerHeight;
	// The last pixel is often out of reach on a zoomed page.
	if (way <= 1) return 0;
	return scrollY >= way - 1 ? 100 : Math.max(0, (scrollY / way) * 100);
}

/** Returns how far this page is scrolled now. */
export function pageDepth(): number {
	const { scrollHeight } = document.documentElement;
	return scrollDepth({ scrollY, innerHeight, scrollHeight });
}

/**
 * Whether the page is jumping to the target of a link, its address or the browser's history. Nobody reads
 * meanwhile.
 */
let isJumping = false;

if (typeof window !== 'undefined') {
	isJumping = location.hash !== '';
	const start = () => (isJumping = true);
	const end = () => (isJumping = false);
	addEventListener('click', (event) => {
		const link = event.target instanceof Element && event.target.closest('a');
		if (!link || event.defaultPrevented || !link.hash) return;
		if (link.pathname === location.pathname && link.search === location.search) start();
	});
	for (const type of ['popstate', 'hashchange']) addEventListener(type, start);
	for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
		addEventListener(type, end, { capture: true, passive: true });
	// One jump may interrupt another: the first one's end is not the end of both.
	const endAtTarget = () => isTargetInView() && end();
	if ('onscrollend' in window) addEventListener('scrollend', endAtTarget);
	else addEventListener('pageshow', () => setTimeout(end));
}

/** Returns where the page is scrolled to as it opens: at its top, which needs no layout, unless it opens with a jump. */
export const startOfPage = () => (isJumping ? scrollY : 0);

/** Returns whether what the address leads to is in the window; true if it leads to nothing on this page. */
function isTargetInView(): boolean {
	const box = document.querySelector(':target')?.getBoundingClientRect();
	return !box || (box.bottom >= 0 && box.top <= innerHeight);
}

/** Calls back on each scroll with whether it was a jump, until the signal aborts. */
export function onScroll(listener: (isJump: boolean) => void, signal?: AbortSignal): void {
	const options = { passive: true, ...(signal && { signal }) };
	addEventListener('scroll', () => listener(isJumping), options);
}

/**
 * Calls back after each scroll with the depth of the page and the depth from which the reader got there without
 * a jump, until the callback returns true.
 */
export function onScrollDepth(listener: (depth: number, from: number) => boolean): void {
	const listening = new AbortController();
	let from = isJumping ? pageDepth() : 0;
	onScroll((isJump) => {
		const depth = pageDepth();
		from = isJump ? depth : Math.min(from, depth);
		if (!isJump && listener(depth, from)) listening.abort();
	}, listening.signal);
}
