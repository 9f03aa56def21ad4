import { paths } from '#src/site.ts';

/**
 * Returns the target of a back link (product.md section 2): the list of states for pages below it, otherwise
 * back or home.
 */
export function backTarget(pathname: string): { href: string; label: string; isHistory: boolean } {
	return pathname.startsWith(`${paths.states}/`)
		? { href: paths.states, label: 'All states', isHistory: false }
		: { href: '/', label: 'Back', isHistory: true };
}

/** Returns whether there is a page to go back to. */
export function canGoBack(): boolean {
	return 'navigation' in window ? window.navigation.canGoBack : history.length > 1;
}
