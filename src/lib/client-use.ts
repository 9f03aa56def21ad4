import type { ClientDirective } from 'astro';
import { AWAKE } from './awake.ts';
import type { Current } from './controls.ts';
import { NETWORK_ERROR } from './errors.ts';

/** Astro's event of an island whose code cannot be loaded. */
const FAILED = 'astro:hydration-error';

/**
 * `client:use` hydrates an island when somebody is about to use it: on hover or focus. A form that is sent
 * before is sent again afterwards, and a button or link with `data-held` that is pressed before is pressed again. The island also wakes for what
 * changes its look: a query in the address; the event `use:name` for `client:use="name"`; and, once it is nearly in sight, a
 * cookie or storage entry of that name that is `true`. `client:use="near"` wakes there always.
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
	island.addEventListener(FAILED, () => (waking = false), { signal });

	/** Forms and buttons whose event is replayed once the island is awake. */
	const held = new Set<Element>();
	function hold(event: Event): void {
		const target = event.target as HTMLInputElement | HTMLFormElement;
		const control =
			event.type === 'click'
				? target.closest<HTMLButtonElement | HTMLAnchorElement>('[type=button], [data-held]')
				: target instanceof HTMLFormElement
					? target
					: target.form;
		const { ctrlKey, metaKey, shiftKey, altKey } = event as MouseEvent;
		// Such a press opens a link elsewhere.
		if (control instanceof HTMLAnchorElement && (ctrlKey || metaKey || shiftKey || altKey)) return;
		// A nested island holds its own events.
		if (control && target.closest('astro-island') === island) {
			// The awake form reports empty fields itself.
			event.preventDefault();
			event.stopPropagation();
			if (!held.has(control)) replayWhenAwake(event, control);
		}
		void wake();
	}

	/** If its code cannot be loaded, a form is sent as without JavaScript; without a network it keeps what was typed. */
	function replayWhenAwake(event: Event, control: HTMLFormElement | HTMLElement): void {
		const { submitter } = event as SubmitEvent;
		const form = control instanceof HTMLFormElement ? control : undefined;
		held.add(control);
		if (!form) control.ariaDisabled = 'true';
		const settled = new AbortController();
		const settle = (by: Event) => {
			settled.abort();
			held.delete(control);
			control.ariaDisabled = null;
			if (by.type === AWAKE) {
				const current = (by as CustomEvent<Current>).detail;
				if (form) current(form)?.requestSubmit(submitter && current(submitter));
				else current(control)?.click();
			} else if (by.type !== FAILED) return;
			else if (control instanceof HTMLAnchorElement) location.href = control.href;
			else if (form && navigator.onLine) {
				sleep.abort();
				if (form.reportValidity()) form.submit();
			} else {
				alert.textContent = NETWORK_ERROR;
				island.after(alert);
			}
		};
		const { signal } = settled;
		for (const type of [AWAKE, FAILED]) island.addEventListener(type, settle, { signal });
		// Someone who continues to type will submit again.
		if (event.type === 'invalid') island.addEventListener('beforeinput', settle, { signal });
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
		// What is pressed shows it first.
		const wakeLater = () => requestAnimationFrame(() => setTimeout(() => void wake()));
		island.addEventListener(type, wakeLater, { once: true, signal });
	}
	for (const type of ['submit', 'invalid', 'click']) {
		island.addEventListener(type, hold, { capture: true, signal });
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
