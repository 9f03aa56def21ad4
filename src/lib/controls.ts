import type { ComponentProps } from 'react';

/** Elements that a person may have changed, or may be in, before a part of the page is drawn anew. */
const CONTROLS = 'input, textarea, select, details, button, a[href], summary, [tabindex]';

/** Finds the element that is in an old one's place. */
export type Current = <T extends Element>(old: T) => T | undefined;
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Remembers the controls below `root`. The function that it returns is called once the root has been drawn,
 * perhaps anew: each control that is there then has the value, choice, selection and focus that it had, and its
 * listeners hear of them. The control that is likeliest to be pressed next stays where it is in the window. The
 * function returns in turn what finds the element that has taken an old one's place.
 */
export function keepControls(root: Element): () => Current {
	const before = named(root);
	const focused = root.contains(document.activeElement) ? document.activeElement : null;
	const range = selectionOf(focused);
	const held = likeliest(root, focused);
	const top = held?.getBoundingClientRect().top ?? 0;
	return () => {
		const after = new Map([...named(root)].map(([element, name]) => [name, element]));
		const current: Current = <T extends Element>(old: T) =>
			root.contains(old) ? old : (after.get(before.get(old) ?? '') as T | undefined);
		for (const old of before.keys()) {
			const now = current(old);
			if (now instanceof HTMLDetailsElement) now.open = (old as HTMLDetailsElement).open;
			else if (now && isControl(old) && isChanged(old)) restore(old, now as Control);
		}
		const place = focused && current(focused);
		if (place instanceof HTMLElement && place !== document.activeElement) {
			place.focus({ preventScroll: true });
			if (range) (place as HTMLInputElement).setSelectionRange(...range);
		}
		const moved = held ? (current(held)?.getBoundingClientRect().top ?? top) - top : 0;
		if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' });
		return current;
	};
}

/** Returns the control under the pointer, or with the focus, or else the nearest to the middle of the window, if any is in it. */
function likeliest(root: Element, focused: Element | null): Element | null {
	const deepest = [...root.querySelectorAll(':hover')].at(-1);
	const pointed = deepest?.closest('label')?.control ?? deepest?.closest(CONTROLS);
	if (pointed ?? focused) return pointed ?? focused;
	let nearest = null;
	let least = innerHeight / 2;
	for (const control of root.querySelectorAll(CONTROLS)) {
		const { top, bottom } = control.getBoundingClientRect();
		const distance = Math.abs((top + bottom - innerHeight) / 2);
		if (distance < least) [nearest, least] = [control, distance];
	}
	return nearest;
}

/**
 * Names the controls and forms below `root` by what they are for and by their order among equals: ids come
 * from React, and labels may have been translated.
 */
function named(root: Element): Map<Element, string> {
	const counts = new Map<string, number>();
	const names = new Map<Element, string>();
	for (const element of root.querySelectorAll(`form, ${CONTROLS}`)) {
		const name = nameOf(element);
		const count = counts.get(name) ?? 0;
		counts.set(name, count + 1);
		names.set(element, `${name} ${count}`);
	}
	return names;
}

function nameOf(element: Element): string {
	const parts = [element.localName, element.getAttribute('name'), element.getAttribute('href')];
	if (element instanceof HTMLSelectElement)
		parts.push(...[...element.options].map(({ value }) => value));
	if (element instanceof HTMLInputElement) {
		if (isCheckable(element)) parts.push(element.value);
		if (!element.name) parts.push(element.type, element.min, element.max, element.step);
	}
	return JSON.stringify(parts);
}

function isControl(element: Element): element is Control {
	return element.matches('input, textarea, select');
}

function isCheckable(control: Control): control is HTMLInputElement {
	return control.type === 'checkbox' || control.type === 'radio';
}

/** Returns whether a control is not as its HTML says. Of a group of radio buttons the chosen one counts. */
function isChanged(control: Control): boolean {
	if (control instanceof HTMLSelectElement)
		return [...control.options].some(
			({ selected, defaultSelected }) => selected !== defaultSelected,
		);
	if (control.type === 'radio')
		return (control as HTMLInputElement).checked && !(control as HTMLInputElement).defaultChecked;
	if (isCheckable(control)) return control.checked !== control.defaultChecked;
	if (control.type === 'file') return control.value !== '';
	return control.type !== 'hidden' && control.value !== initialValue(control);
}

/** Returns the value that a control has at first. A browser rounds that of a slider to its steps. */
function initialValue(control: HTMLInputElement | HTMLTextAreaElement): string {
	if (control instanceof HTMLTextAreaElement) return control.defaultValue;
	const fresh = control.cloneNode() as HTMLInputElement;
	fresh.value = control.defaultValue;
	return fresh.value;
}

/** Gives `now` the state of `old`, which may be the same element, and tells React if it does not know that state. */
function restore(old: Control, now: Control): void {
	const state = isCheckable(old) ? String(old.checked) : old.value;
	const known = knownState(now);
	if (known === state) return;
	// React takes what it heard of last for unchanged.
	(now as { _valueTracker?: { setValue: (last: string) => void } })._valueTracker?.setValue(
		isCheckable(old) ? String(!old.checked) : (known ?? ''),
	);
	if (isCheckable(old)) {
		const box = now as HTMLInputElement;
		const { checked } = old;
		setNatively(box, 'checked', !checked);
		box.click();
		return;
	}
	if (old instanceof HTMLInputElement && old.type === 'file')
		(now as HTMLInputElement).files = old.files;
	else if (old instanceof HTMLSelectElement) {
		const values = [...old.selectedOptions].map(({ value }) => value);
		for (const option of (now as HTMLSelectElement).options)
			option.selected = values.includes(option.value);
	} else if (now !== old) {
		setNatively(now, 'value', state);
		now.scrollTop = old.scrollTop;
	}
	now.dispatchEvent(new Event('input', { bubbles: true }));
	now.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Sets a property past the setter by which React notes that it changed it itself. */
function setNatively(control: Control, property: 'value' | 'checked', value: unknown): void {
	Reflect.set(Object.getPrototypeOf(control) as object, property, value, control);
}

/** Returns the state that a component gives a control, or undefined if the control keeps its own. */
function knownState(control: Control): string | undefined {
	const key = Object.keys(control).find((name) => name.startsWith('__reactProps'));
	const { value, checked } = (key ? Reflect.get(control, key) : {}) as ComponentProps<'input'>;
	const state = isCheckable(control) ? checked : value;
	return state === undefined ? undefined : String(state);
}

type Selection = [number, number, 'forward' | 'backward' | 'none' | undefined];

/** Returns what is selected in a text field; undefined where there is no such thing, as in one for email. */
function selectionOf(element: Element | null): Selection | undefined {
	if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return;
	const { selectionStart, selectionEnd, selectionDirection } = element;
	if (selectionStart === null || selectionEnd === null) return;
	return [selectionStart, selectionEnd, selectionDirection ?? undefined];
}
