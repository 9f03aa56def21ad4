import type { ClientDirective } from 'astro';

/**
 * `client:intent="search"` hydrates an island at the first sign that somebody wants it: a click on an element with
 * `data-intent="search"`, search's shortcut, or an `intent:search` event. Until then nothing of it is loaded.
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
		// Where its code cannot be loaded, the link leads to a page that does the same.
		const link = document.querySelector<HTMLAnchorElement>(`a[data-intent="${name}"]`);
		if (link) location.assign(link.href);
		else listen();
	});
};

/** `/` outside of fields, or Ctrl/Cmd-K anywhere. */
export function isShortcut(event: KeyboardEvent): boolean {
	// A suggestion that the browser fills in presses a key without a name.
	if (event.key?.toLowerCase() === 'k') return event.ctrlKey || event.metaKey;
	if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return false;
	const target = event.target instanceof HTMLElement ? event.target : null;
	return !target?.closest('input, textarea, select, [contenteditable="true"]');
}

export default intent;
