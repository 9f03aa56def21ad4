import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import * as client from 'react-dom/client';
import { AWAKE } from './awake.ts';
import { isComposingIn } from './composing.ts';
import { keepControls } from './controls.ts';

/**
 * A `react-dom/client` for `@astrojs/react`, which the build puts in its place (render-islands.ts). Password
 * managers, writing helpers and translators change a page before an island wakes. React then draws the island
 * anew; what a person typed, chose or is in stays (decision 108).
 */
export const { createRoot } = client;

/** Hydrates in one go, so that nothing is typed between what is remembered and what is restored. */
export function hydrateRoot(
	island: Element,
	children: ReactNode,
	options: client.HydrationOptions,
): Pick<client.Root, 'render' | 'unmount'> {
	let root: client.Root | undefined;
	let latest = children;
	const start = () => {
		const restore = keepControls(island);
		flushSync(() => {
			root = client.hydrateRoot(island, latest, { ...options, onRecoverableError });
		});
		island.dispatchEvent(new CustomEvent(AWAKE, { detail: restore() }));
	};
	const ends = new AbortController();
	const look = () => {
		if (ends.signal.aborted || isBusy(island)) return;
		ends.abort();
		start();
	};
	if (isBusy(island)) {
		// After the click that the release of a button or key becomes.
		const later = () => setTimeout(look);
		for (const type of ['click', 'pointerup', 'pointercancel', 'keyup', 'compositionend', 'blur'])
			addEventListener(type, later, { capture: true, signal: ends.signal });
	} else start();
	return {
		render(next) {
			latest = next;
			root?.render(next);
		},
		unmount() {
			ends.abort();
			root?.unmount();
		},
	};
}

/** Returns whether a press or an input method is in the middle of something below `element`. */
function isBusy(element: Element): boolean {
	return element.querySelector(':active') !== null || isComposingIn(element);
}

/** A page that somebody else has changed is no error of ours: nothing is lost, and the owner could not mend it. */
function onRecoverableError(error: unknown): void {
	if (error instanceof Error && /#418|[Hh]ydrat/.test(error.message)) console.warn(error.message);
	else reportError(error);
}

/**
 * Lets React take out and put in nodes whose neighbors or parents somebody else has changed; otherwise the whole
 * island would fail, with what is typed in it.
 */
function tolerateChanges(): void {
	Node.prototype.removeChild = function <T extends Node>(child: T): T {
		(child as unknown as ChildNode).remove();
		return child;
	};
	Node.prototype.insertBefore = function <T extends Node>(node: T, next: Node | null): T {
		let before = next;
		while (before && before.parentNode !== this) before = before.parentNode;
		if (before) (before as ChildNode).before(node);
		else (this as unknown as ParentNode).append(node);
		return node;
	};
}
tolerateChanges();
