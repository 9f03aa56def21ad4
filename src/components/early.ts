/**
 * Runs before the first paint, on every page. The content security policy allows it by its hash.
 *
 * - A chosen theme never flashes.
 * - A fade between two pages that is cut short by the next press is no error; Chromium says that it is one, also
 *   before a page's modules have run (w3c/csswg-drafts#13726). Files have no fade, and none is begun for them.
 * - On a phone, an article that opens at its top is laid out in pieces (later.ts), if the browser keeps the reader's place
 *   meanwhile. Where scrolling goes on, its place was measured in a whole layout.
 */
export const EARLY_SCRIPT = [
	`try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`,
	`addEventListener('unhandledrejection',e=>/^Transition was /.test(e.reason?.message)&&e.preventDefault())`,
	String.raw`addEventListener('pageswap',e=>/\.\w+$/.test(e.activation?.entry.url)&&e.viewTransition?.skipTransition())`,
	`if(!location.hash&&screen.width<768&&CSS.supports('overflow-anchor','auto')&&performance.getEntriesByType('navigation')[0]?.type=='navigate')document.documentElement.dataset.early=''`,
].join(';');
