import { paths } from '#src/site.ts';

/** Where a back link leads (specification section 2): a page below the states to their list, others back or home. */
export function backTarget(pathname: string): { href: string; label: string; isHistory: boolean } {
	return pathname.startsWith(`${paths.states}/`)
		? { href: paths.states, label: 'All states', isHistory: false }
		: { href: '/', label: 'Back', isHistory: true };
}

/** Whether there is a page to go back to. */
export function canGoBack(): boolean {
	return 'navigation' in window ? window.navigation.canGoBack : history.length > 1;
}
