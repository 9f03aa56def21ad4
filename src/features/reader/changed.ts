import { straightenQuotes } from '#src/lib/quotes.ts';

/** Elements of an article that are a passage each, unless they hold others. */
const PASSAGES = 'p, h2, h3, h4, h5, h6, li, tr, pre, figcaption, dt, dd';
/** Elements whose words change by themselves. */
const LIVING = 'astro-island, [aria-hidden="true"], [data-live], button';

/** Returns the elements of an article's text that are a passage each, in order. */
export function passagesIn(text: HTMLElement): HTMLElement[] {
	return [...text.querySelectorAll<HTMLElement>(PASSAGES)].filter(isPassage);
}

const isPassage = (element: HTMLElement) =>
	!element.querySelector(PASSAGES) && !element.closest(LIVING);

/** Elements that are read in one go: an article has hundreds. */
const SLICE = 16;

/**
 * Reads the digests of an article's passages, to be stored when it was read, a few at a time while nothing else is to be done.
 * Returns what gives all of them, at once.
 */
export function readDigests(text: HTMLElement): () => string {
	const elements = text.querySelectorAll<HTMLElement>(PASSAGES);
	const digests: string[] = [];
	let next = 0;
	function read(count: number): void {
		const end = Math.min(next + count, elements.length);
		for (; next < end; next++) {
			const element = elements[next]!;
			if (isPassage(element)) digests.push(digestOf(element));
		}
	}
	function readSome(): void {
		read(SLICE);
		if (next < elements.length) whenIdle(readSome);
	}
	whenIdle(readSome);
	return () => {
		read(elements.length);
		return digests.join('.');
	};
}

/** Calls back when nothing else is to be done. Safari has no idle callbacks. */
function whenIdle(callback: () => void): void {
	(window.requestIdleCallback ?? setTimeout)(callback);
}

/**
 * Returns the passages that were not there when these digests were stored, and how many of those that were are gone without
 * another in their place. A passage that moved has not changed.
 */
export function changesSince(
	digests: string,
	passages: HTMLElement[],
): { changed: HTMLElement[]; removed: number } {
	const left = Map.groupBy(digests.split('.'), (digest) => digest);
	const changed = passages.filter((passage) => left.get(digestOf(passage))?.pop() === undefined);
	const gone = [...left.values()].reduce((sum, { length }) => sum + length, 0);
	return { changed, removed: Math.max(0, gone - changed.length) };
}

/** Marks passages until the function that is returned is called. */
export function markPassages(passages: HTMLElement[]): () => void {
	const marks = passages.flatMap((passage) => {
		const parts = passage.matches('tr') ? [...passage.children] : [passage];
		return parts.map((part) => {
			const mark = document.createElement('mark');
			mark.dataset['changed'] = '';
			mark.append(...part.childNodes);
			part.append(mark);
			return mark;
		});
	});
	return () => marks.forEach((mark) => mark.replaceWith(...mark.childNodes));
}

/** Returns a short digest (FNV-1a, 32 bits) of a passage's words, whatever quotation marks and spaces they are set with. */
function digestOf(passage: HTMLElement): string {
	let hash = 0x811c9dc5;
	for (const letter of wordsOf(passage)) {
		hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
	}
	return (hash >>> 0).toString(36);
}

function wordsOf(passage: HTMLElement): string {
	return straightenQuotes(passage.textContent).replace(/\s+/g, ' ').trim();
}
