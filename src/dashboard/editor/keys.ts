/** Keys as this machine's keyboard names them. */
export function keysHere(keys: string): string {
	return /Mac|iP(hone|ad)/.test(navigator.userAgent)
		? keys.replace('Ctrl', '⌘').replace('Alt', '⌥').replace('Shift', '⇧').replaceAll('+', '')
		: keys;
}
