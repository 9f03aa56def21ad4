import type { ClientDirective } from 'astro';

/**
 * `client:intent="search"` hydrates an island at the first sign of intent: a click on an element with
 * `data-intent="search"`, the search shortcut, or an `intent:search` event. Until then none of its code is
 * loaded.
 */
const intent: ClientDirective = (load, { value }, island) => {
	const name = String(value);
	let listening: AbortController;
	async function go(event: Event) {
		event.preventDefault();
		listening.abort();
		const hydrate = await load();
		await hydrate();
	}
	function opener(target: EventTarget | null) {
		return target instanceof Element
			? target.closest<HTMLElement>(`[data-intent="${name}"]`)
			: null;
	}
	function listen() {
		listening = new AbortController();
		const { signal } = listening;
		addEventListener(
			'click',
			(event) => {
				const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
				if (!modified && opener(event.target)) void go(event);
			},
			{ signal },
		);
		addEventListener(
			'keydown',
			(event) => {
				if (name !== 'search' || !isShortcut(event)) return;
				if (!document.querySelector('dialog[open]')) void go(event);
			},
			{ signal },
		);
		addEventListener(`intent:${name}`, (event) => void go(event), { signal });
	}
	listen();
	island.addEventListener('astro:hydration-error', () => {
		// If its code cannot be loaded, the link leads to a page that does the same.
		const link = document.querySelector<HTMLAnchorElement>(`a[data-intent="${name}"]`);
		if (link) location.assign(link.href);
		else listen();
	});
};

/** Returns whether a key press is the search shortcut: `/` outside of fields, or Ctrl/Cmd-K anywhere. */
export function isShortcut(event: KeyboardEvent): boolean {
	// Autofill dispatches key events without a key.
	if (event.key?.toLowerCase() === 'k') return event.ctrlKey || event.metaKey;
	if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return false;
	const target = event.target instanceof HTMLElement ? event.target : null;
	return !target?.closest('input, textarea, select, [contenteditable="true"]');
}

export default intent;
