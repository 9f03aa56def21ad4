import type { ClientDirective } from 'astro';
import { NO_NETWORK } from './errors.ts';

/**
 * `client:use` hydrates an island when somebody is about to use it: with the pointer over it or the focus in it. What was
 * sent or chosen before it was awake happens again then. What makes it look different hydrates it at once: a query in the
 * address; and for `client:use="name"` a cookie or storage entry of that name that is `true`, or the event `use:name`.
 */
const use: ClientDirective = (load, { value }, island) => {
	const sleep = new AbortController();
	const { signal } = sleep;
	const alert = document.createElement('p');
	alert.role = 'alert';
	alert.className = 'field-error';
	let waking = false;
	async function wake(): Promise<void> {
		if (waking) return;
		waking = true;
		const hydrate = await load();
		await hydrate();
	}
	island.addEventListener(
		'astro:hydrate',
		() => {
			sleep.abort();
			alert.remove();
		},
		{ once: true },
	);
	island.addEventListener('astro:hydration-error', () => (waking = false), { signal });

	/** Does it again once the island is awake; as without JavaScript where its code cannot be loaded. */
	function hold(event: Event): void {
		const { target } = event;
		// An island inside of this one holds its own.
		if (target instanceof HTMLElement && target.closest('astro-island') === island) {
			event.preventDefault();
			event.stopPropagation();
			const submitter = event instanceof SubmitEvent ? event.submitter : null;
			const chosen = target instanceof HTMLSelectElement ? target.value : null;
			const again = async () => {
				await handlersOf(target);
				if (target instanceof HTMLFormElement) return target.requestSubmit(submitter);
				if (target instanceof HTMLSelectElement) target.value = chosen!;
				return target.dispatchEvent(new Event(event.type, { bubbles: true }));
			};
			const settled = new AbortController();
			const once = { once: true, signal: settled.signal };
			island.addEventListener(
				'astro:hydrate',
				() => {
					settled.abort();
					void again();
				},
				once,
			);
			island.addEventListener(
				'astro:hydration-error',
				() => {
					settled.abort();
					if (!(target instanceof HTMLFormElement)) return;
					if (navigator.onLine) return target.submit();
					// What was typed stays where it is.
					alert.textContent = NO_NETWORK;
					island.after(alert);
				},
				once,
			);
		}
		void wake();
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

/** Settles once React has put its handlers on an element, some moments after the island says that it is hydrated. */
async function handlersOf(element: HTMLElement): Promise<void> {
	while (!Object.keys(element).some((name) => name.startsWith('__reactProps'))) {
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

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
