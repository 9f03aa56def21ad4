import type { ClientDirective } from 'astro';

/**
 * `client:use` hydrates an island when somebody is about to use it: with the pointer over it or the focus in it. What was
 * sent or chosen before it was awake happens again then. What makes it look different hydrates it at once: a query in the
 * address; and for `client:use="name"` a cookie or storage entry of that name that is `true`, or the event `use:name`.
 */
const use: ClientDirective = (load, { value }, island) => {
	const sleep = new AbortController();
	const { signal } = sleep;
	// Awake, or never to be: then its forms do what they do without JavaScript.
	island.addEventListener('astro:hydrate', () => sleep.abort(), { once: true });
	island.addEventListener('astro:hydration-error', () => sleep.abort(), { once: true });
	let waking = false;
	async function wake(): Promise<void> {
		if (waking) return;
		waking = true;
		const hydrate = await load();
		await hydrate();
	}

	/** Does it again once the island is awake, and as without JavaScript where its code cannot be loaded. */
	function hold(event: Event): void {
		void wake();
		const { target } = event;
		// An island inside of this one holds its own.
		if (!(target instanceof HTMLElement) || target.closest('astro-island') !== island) return;
		event.preventDefault();
		event.stopPropagation();
		const submitter = event instanceof SubmitEvent ? event.submitter : null;
		const chosen = target instanceof HTMLSelectElement ? target.value : null;
		const again = () => {
			if (target instanceof HTMLFormElement) return target.requestSubmit(submitter);
			if (target instanceof HTMLSelectElement) target.value = chosen!;
			return target.dispatchEvent(new Event(event.type, { bubbles: true }));
		};
		island.addEventListener('astro:hydrate', again, { once: true });
		island.addEventListener(
			'astro:hydration-error',
			() => target instanceof HTMLFormElement && target.submit(),
			{ once: true },
		);
	}

	const name = String(value);
	if (location.search || isStored(name)) return void wake();
	addEventListener(`use:${name}`, () => void wake(), { once: true, signal });
	for (const type of ['pointerover', 'focusin']) {
		island.addEventListener(type, () => void wake(), { once: true, signal });
	}
	for (const type of ['submit', 'change']) {
		island.addEventListener(type, hold, { capture: true, signal });
	}
};

/** Whether this browser remembers it, as a cookie or in its storage. */
function isStored(name: string): boolean {
	try {
		return document.cookie.includes(`${name}=true`) || localStorage.getItem(name) === 'true';
	} catch {
		// Storage may be forbidden: then nothing is in it.
		return false;
	}
}

export default use;
