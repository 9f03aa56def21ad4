import type { ClientDirective } from 'astro';
import { NETWORK_ERROR } from './errors.ts';

/**
 * `client:use` hydrates an island when somebody is about to use it: on hover or focus. A submit or change
 * before hydration is replayed afterwards. The island also wakes for what changes its look: a query in the
 * address; the event `use:name` for `client:use="name"`; and, once visible, a cookie or storage entry of that
 * name that is `true`.
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

	/** The first event to replay once the island is awake. */
	let held: Event | undefined;
	/**
	 * Holds an event back and replays it once the island is awake. If its code cannot be loaded, the form is
	 * sent as without JavaScript.
	 */
	function holdEvent(event: Event): void {
		const { target } = event;
		// Typed text stays in its form; only the submit has to wait.
		const isFilling = event.type === 'change' && Boolean((target as HTMLInputElement).form);
		// A nested island holds its own events.
		if (!isFilling && target instanceof HTMLElement && target.closest('astro-island') === island) {
			// The awake form reports empty fields itself.
			event.preventDefault();
			event.stopPropagation();
			held ??= event;
			if (held === event) replayWhenAwake(event, target);
		}
		void wake();
	}

	function replayWhenAwake(event: Event, target: HTMLElement): void {
		const form = target instanceof HTMLInputElement ? target.form : target;
		const submitter = event instanceof SubmitEvent ? event.submitter : null;
		const chosen = target instanceof HTMLSelectElement ? target.value : null;
		const again = async () => {
			await until(() => isAwake(target));
			if (form instanceof HTMLFormElement) {
				if (event.type === 'invalid') await until(() => form.noValidate);
				return form.requestSubmit(submitter);
			}
			if (target instanceof HTMLSelectElement) target.value = chosen!;
			return target.dispatchEvent(new Event(event.type, { bubbles: true }));
		};
		const sendPlainly = () => {
			if (!(form instanceof HTMLFormElement)) return;
			if (navigator.onLine) {
				sleep.abort();
				if (form.reportValidity()) form.submit();
				return;
			}
			// Keep what was typed.
			alert.textContent = NETWORK_ERROR;
			island.after(alert);
		};
		const settled = new AbortController();
		const settle = (then: () => unknown) => () => {
			settled.abort();
			held = undefined;
			then();
		};
		const once = { once: true, signal: settled.signal };
		island.addEventListener('astro:hydrate', settle(again), once);
		island.addEventListener('astro:hydration-error', settle(sendPlainly), once);
		// Someone who continues to type will submit again.
		if (event.type === 'invalid')
			island.addEventListener(
				'input',
				settle(() => {}),
				once,
			);
	}

	const name = String(value);
	if (location.search) return void wake();
	if (isStored(name)) {
		const sight = new IntersectionObserver((entries) => {
			if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
			sight.disconnect();
			void wake();
		});
		// The island element itself has no box.
		for (const child of island.children) sight.observe(child);
	}
	addEventListener(`use:${name}`, () => void wake(), { once: true, signal });
	for (const type of ['pointerover', 'focusin']) {
		island.addEventListener(type, () => void wake(), { once: true, signal });
	}
	for (const type of ['submit', 'change', 'invalid']) {
		island.addEventListener(type, holdEvent, { capture: true, signal });
	}
};

/**
 * Returns whether React has attached its handlers to an element, which happens shortly after the island reports
 * hydration.
 */
function isAwake(element: HTMLElement): boolean {
	return Object.keys(element).some((name) => name.startsWith('__reactProps'));
}

async function until(isTrue: () => boolean): Promise<void> {
	while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Returns whether this browser stores `name` as `true`, in a cookie or local storage. */
function isStored(name: string): boolean {
	try {
		return document.cookie.includes(`${name}=true`) || localStorage.getItem(name) === 'true';
	} catch {
		// Storage may be blocked; then it holds nothing.
		return false;
	}
}

export default use;
