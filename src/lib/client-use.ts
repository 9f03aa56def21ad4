import type { ClientDirective } from 'astro';
import type { Current } from './controls.ts';
import { NETWORK_ERROR } from './errors.ts';

/** As in hydration.ts, which comes with React. */
const AWAKE = 'island-awake';

/**
 * `client:use` hydrates an island when somebody is about to use it: on hover or focus. A form that is sent
 * before is sent again afterwards. The island also wakes for what changes its look: a query in the address; the
 * event `use:name` for `client:use="name"`; and, once it is nearly in sight, a cookie or storage entry of that name that
 * is `true`. `client:use="near"` wakes there always.
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
		AWAKE,
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
		const target = event.target as HTMLElement;
		const form = target instanceof HTMLFormElement ? target : (target as HTMLInputElement).form;
		// A nested island holds its own events.
		if (form && target.closest('astro-island') === island) {
			// The awake form reports empty fields itself.
			event.preventDefault();
			event.stopPropagation();
			held ??= event;
			if (held === event) replayWhenAwake(event, form);
		}
		void wake();
	}

	function replayWhenAwake(event: Event, form: HTMLFormElement): void {
		const submitter = event instanceof SubmitEvent ? event.submitter : null;
		const again = (awake: Event) => {
			const current = (awake as CustomEvent<Current>).detail;
			current(form)?.requestSubmit(submitter && current(submitter));
		};
		const sendPlainly = () => {
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
		const settle = (then: (by: Event) => void) => (by: Event) => {
			settled.abort();
			held = undefined;
			then(by);
		};
		const once = { once: true, signal: settled.signal };
		island.addEventListener(AWAKE, settle(again), once);
		island.addEventListener('astro:hydration-error', settle(sendPlainly), once);
		// Someone who continues to type will submit again.
		if (event.type === 'invalid')
			island.addEventListener(
				'beforeinput',
				settle(() => {}),
				once,
			);
	}

	const name = String(value);
	if (location.search) return void wake();
	if (name === 'near' || isStored(name)) {
		const sight = new IntersectionObserver(
			(entries) => {
				if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
				sight.disconnect();
				void wake();
			},
			{ rootMargin: '200px' },
		);
		// The island element itself has no box.
		for (const child of island.children) sight.observe(child);
	}
	addEventListener(`use:${name}`, () => void wake(), { once: true, signal });
	for (const type of ['pointerover', 'focusin', 'change']) {
		island.addEventListener(type, () => void wake(), { once: true, signal });
	}
	for (const type of ['submit', 'invalid']) {
		island.addEventListener(type, holdEvent, { capture: true, signal });
	}
};

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
