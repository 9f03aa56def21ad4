import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { nextItem } from '#src/lib/roving.ts';
import { toast } from '#src/components/ui/toast.store.ts';
import { COPY_KEYS, copyText } from '#src/lib/clipboard.ts';
import { quoteHref } from '#src/features/share/share.ts';
import { openShareWindow } from '#src/features/share/share.store.ts';
import { $found, highlightOf } from './highlights.store.ts';
import { passageOf } from './passage.ts';
import { contextOf, findQuote, PageText } from './quote.ts';
import type { PostRef } from '#src/features/posts/post.ts';
import { paths } from '#src/site.ts';
import { addHighlight, removeHighlight } from './reader.store.ts';
import { watchSelection, type Selected } from './selection.ts';

type Props = {
	post: PostRef;
	/** Its public address. */
	url: string;
};

/** Selector of the article's text. */
const TEXT = '[data-text]';

/** Pixels between the selection and its toolbar, more for touch because of the handles. */
const GAP = { mouse: 8, touch: 28 };

/** Toolbar for a selected passage (product.md section 4). */
export const SelectionToolbar = island(Toolbar);

function Toolbar({ post, url }: Props) {
	const [selected, setSelected] = useState<Selected>();
	const [current, setCurrent] = useState(0);
	const bar = useRef<HTMLDivElement>(null);
	useStore($found, { ssr: 'initial' });

	useEffect(() => {
		const root = document.querySelector(TEXT);
		return root
			? watchSelection(root, (next) => {
					// A focused tool keeps the selection even if the browser drops it.
					if (next || !bar.current?.contains(document.activeElement)) setSelected(next);
				})
			: undefined;
	}, []);

	useLayoutEffect(() => {
		const { current: element } = bar;
		if (!element?.showPopover) return;
		if (selected && !element.matches(':popover-open')) {
			setCurrent(0);
			element.showPopover();
		}
		if (selected) place(element, selected);
		else if (element.matches(':popover-open')) element.hidePopover();
	}, [selected]);

	useEffect(() => {
		if (!selected) return;
		function onKeyDown(event: globalThis.KeyboardEvent) {
			if (event.key === 'Escape') {
				event.preventDefault();
				close();
			} else if (
				event.key === 'Tab' &&
				!event.shiftKey &&
				selected!.range.intersectsNode(document.activeElement ?? document)
			) {
				// Tab moves from the text to the toolbar, and from anywhere else to the next element.
				event.preventDefault();
				tools()[0]?.focus();
			}
		}
		document.addEventListener('keydown', onKeyDown);
		return () => document.removeEventListener('keydown', onKeyDown);
	});

	function tools(): HTMLElement[] {
		return [...(bar.current?.querySelectorAll<HTMLElement>('button, a') ?? [])];
	}

	/** Clears the selection and returns the focus to where it was. */
	function close() {
		if (bar.current?.contains(document.activeElement) && selected) focusNear(selected.range);
		getSelection()?.collapseToEnd();
		setSelected(undefined);
	}

	function move(event: KeyboardEvent) {
		const all = tools();
		const next = nextItem(event.key, current, all.length);
		if (next === null) return;
		event.preventDefault();
		setCurrent(next);
		all[next]?.focus();
	}

	const page = selected && new PageText(document.querySelector(TEXT)!);
	const span = selected && page?.span(selected.range);
	const highlighted = span && highlightOf(span);

	function mark() {
		if (!page || !span || !selected) return;
		// The browser's text of a selection must be found again; the text of the nodes always is.
		const pieces = page.pieces(span).map(({ node, from, to }) => node.data.slice(from, to));
		const own = pieces.join(' ').replace(/\s+/g, ' ').trim();
		const quoted = findQuote(page.letters, { text: selected.text }) ? selected.text : own;
		addHighlight({
			text: quoted,
			url: new URL(location.pathname, url).href,
			title: post.title,
			...contextOf(page.letters, span),
		});
		toast({
			title: 'Highlighted',
			description: 'It stays in this browser.',
			link: { label: 'See all under Saved', href: paths.saved },
		});
		close();
	}
	function unmark() {
		if (!highlighted) return;
		const undo = removeHighlight(highlighted);
		toast({ title: 'Highlight removed', action: { label: 'Undo', run: undo } });
		close();
	}
	async function copy() {
		if (!selected) return;
		if (await copyText(passageOf(selected.range).text.trim())) {
			toast({
				title: 'Text copied!',
				description: 'The selected text has been copied to your clipboard.',
			});
			close();
			return;
		}
		// It stays selected.
		toast({
			title: 'Copy failed',
			description: `Unable to copy text to clipboard. ${COPY_KEYS}`,
			destructive: true,
		});
	}

	const tab = (index: number) => (index === current ? 0 : -1);
	return (
		<>
			<div
				ref={bar}
				popover="manual"
				role="toolbar"
				aria-label="Selected text"
				className="selection-toolbar"
				onKeyDown={move}
				// Keep the selection on a press.
				onMouseDown={(event) => event.preventDefault()}
			>
				{highlighted ? (
					<Button variant="quiet" tabIndex={tab(0)} onClick={unmark}>
						Remove highlight
					</Button>
				) : (
					<Button variant="quiet" tabIndex={tab(0)} onClick={mark}>
						Highlight
					</Button>
				)}
				<Button variant="quiet" tabIndex={tab(1)} onClick={() => void copy()}>
					Copy
				</Button>
				<a
					className="button button-quiet"
					tabIndex={tab(2)}
					href={quoteHref(selected?.text ?? '', url)}
					target="_blank"
					rel="noopener"
					onClick={(event) => {
						openShareWindow(post.id, event.nativeEvent, event.currentTarget);
						close();
					}}
				>
					Share on X
				</a>
			</div>
			<p role="status" className="sr-only">
				{selected && 'Press Tab for what you can do with the selected text.'}
			</p>
		</>
	);
}

/**
 * Places the toolbar above the selection, or below if there is no room or for touch, where the system's menu is
 * above.
 */
function place(bar: HTMLElement, { range, byTouch }: Selected): void {
	const at = range.getBoundingClientRect();
	const { width, height } = bar.getBoundingClientRect();
	const above = at.top - height - GAP.mouse;
	const below = byTouch || above < 0;
	const top = below ? at.bottom + (byTouch ? GAP.touch : GAP.mouse) : above;
	const left = Math.max(8, Math.min(at.left + (at.width - width) / 2, innerWidth - width - 8));
	bar.style.top = `${top + scrollY}px`;
	bar.style.left = `${left + scrollX}px`;
}

function focusNear(range: Range): void {
	const { endContainer } = range;
	const block = endContainer instanceof HTMLElement ? endContainer : endContainer.parentElement;
	if (!block) return;
	const before = block.getAttribute('tabindex');
	block.tabIndex = -1;
	block.focus({ preventScroll: true });
	if (before === null)
		block.addEventListener('blur', () => block.removeAttribute('tabindex'), { once: true });
}
