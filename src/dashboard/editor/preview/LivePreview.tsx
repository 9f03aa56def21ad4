import { type MouseEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { followTheme } from '#src/dashboard/kit/follow-theme.ts';
import { renderContent, type Rendered } from '#src/features/posts/editing.api.ts';
import { messageOf } from '#src/lib/errors.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { createPortal } from 'react-dom';

type Props = {
	/** Names what is shown. */
	title: string;
	content: string;
	/** Fills in the names of the site, as in the text of a page. */
	isPage?: boolean;
	/** Shows what is saved in a tab of its own. */
	onOpen?: () => void;
	/** Returns the page around the rendered text. */
	children: (rendered: Rendered) => ReactNode;
};

/** Widths of the screens that a page can be seen on, in pixels. */
const SCREENS = { Phone: 390, Desktop: 1280 } as const;
/** Milliseconds from the last word to its page, beside those of the editor. */
const PAUSE_MS = 300;

/** The page of what is being written, as readers would see it now. It goes along with the text. */
export function LivePreview({ title, content, isPage = false, onOpen, children }: Props) {
	const [screen, setScreen] = useState<keyof typeof SCREENS>('Phone');
	const frame = useRef<HTMLIFrameElement>(null);
	const { data, error, reload } = useAsync(
		content,
		() => callAsAdmin(renderContent, { content, isPage }),
		PAUSE_MS,
	);

	useEffect(() => {
		const follow = () => requestAnimationFrame(() => scrollAlong(frame.current));
		addEventListener('scroll', follow, { passive: true });
		return () => removeEventListener('scroll', follow);
	}, []);
	useEffect(() => {
		const turn = requestAnimationFrame(() => scrollAlong(frame.current));
		return () => cancelAnimationFrame(turn);
	}, [screen]);
	useEffect(() => {
		if (data) showCursor(frame.current);
	}, [data]);

	return (
		<section className="live-preview" aria-label="Preview">
			<div className="live-preview-bar">
				<div className="view-switch" role="group" aria-label="Width of the preview">
					{(Object.keys(SCREENS) as (keyof typeof SCREENS)[]).map((name) => (
						<button
							key={name}
							type="button"
							aria-pressed={name === screen}
							onClick={() => setScreen(name)}
						>
							{name}
						</button>
					))}
				</div>
				{onOpen && (
					<Button variant="quiet" onClick={onOpen}>
						Open in a new tab
					</Button>
				)}
			</div>
			{data?.problem && (
				<p role="alert" className="field-error">
					Shown as plain text: {data.problem}
				</p>
			)}
			{error !== undefined && <SectionError message={messageOf(error)} onRetry={reload} />}
			{data ? (
				<PageFrame ref={frame} title={title} width={SCREENS[screen]}>
					<div onClickCapture={openElsewhere}>{children(data)}</div>
				</PageFrame>
			) : (
				error === undefined && <Skeleton label="Loading the preview" rows={5} />
			)}
		</section>
	);
}

/** Opens a link in a tab of its own, or goes to its place in the text: the preview stays. */
function openElsewhere(event: MouseEvent) {
	const link = (event.target as Element).closest('a');
	const href = link?.getAttribute('href');
	if (!link || !href) return;
	event.preventDefault();
	if (href.startsWith('#'))
		link.ownerDocument.getElementById(href.slice(1))?.scrollIntoView({ block: 'start' });
	else window.open(new URL(href, location.href), '_blank', 'noopener');
}

/** The text that is written beside its page. */
const writtenBeside = (frame: HTMLIFrameElement | null) =>
	frame?.closest('.editor')?.querySelector('.article-surface');

/** Shows the same place of the article at the same height, where both are in view. */
function scrollAlong(frame: HTMLIFrameElement | null) {
	const page = frame?.contentWindow;
	const shown = frame?.contentDocument?.querySelector('.prose');
	const written = writtenBeside(frame);
	if (!page || !shown || !written || written.getBoundingClientRect().height === 0) return;
	// At the ends of the text the ends of its page.
	const share = window.scrollY / Math.max(1, document.body.scrollHeight - innerHeight);
	const height = window.scrollY === 0 ? 0 : placeIn(written, shown, share * innerHeight);
	const top = window.scrollY === 0 ? 0 : page.scrollY + height - share * page.innerHeight;
	page.scrollTo({ top, behavior: 'instant' });
}

/** Brings the block with the cursor into view, where one writes at the end of a page that is longer than the text. */
function showCursor(frame: HTMLIFrameElement | null) {
	const shown = frame?.contentDocument?.querySelector('.prose');
	const written = writtenBeside(frame);
	const { anchorNode } = document.getSelection() ?? {};
	if (!frame?.contentWindow || !shown || !anchorNode || !written?.contains(anchorNode)) return;
	const cursor = document.getSelection()!.getRangeAt(0).getBoundingClientRect();
	if (cursor.height === 0) return;
	const at = placeIn(written, shown, cursor.top);
	const { contentWindow: page } = frame;
	if (at >= 0 && at < page.innerHeight - 48) return;
	page.scrollBy({ top: at - page.innerHeight * 0.6, behavior: 'instant' });
}

type PageFrameProps = {
	title: string;
	/** Width of its screen in pixels; it is drawn smaller where there is less room. */
	width: number;
	children: ReactNode;
	ref: Ref<HTMLIFrameElement>;
};

/** A page inside the page, with the same styles and a screen of its own: what depends on a screen's width does so here. */
function PageFrame({ title, width, children, ref }: PageFrameProps) {
	const box = useRef<HTMLDivElement>(null);
	const [room, setRoom] = useState({ width, height: 0 });
	const [page, setPage] = useState<Document>();
	const scale = Math.min(1, room.width / width);

	useEffect(() => {
		const observer = new ResizeObserver(([entry]) => {
			if (entry) setRoom({ width: entry.contentRect.width, height: entry.contentRect.height });
		});
		observer.observe(box.current!);
		return () => observer.disconnect();
	}, []);
	useEffect(() => (page ? followTheme(page) : undefined), [page]);

	async function open(frame: HTMLIFrameElement) {
		const inner = frame.contentDocument;
		if (!inner?.getElementById('page')) return;
		await copyStyles(inner);
		setPage(inner);
	}

	return (
		<div ref={box} className="page-frame">
			<iframe
				ref={ref}
				title={title}
				srcDoc={BLANK}
				style={{
					width,
					height: room.height / scale,
					transform: `scale(${scale})`,
					left: Math.max(0, (room.width - width) / 2),
				}}
				onLoad={(event) => void open(event.currentTarget)}
			/>
			{page && createPortal(children, page.getElementById('page')!)}
		</div>
	);
}

const BLANK =
	'<!doctype html><html lang="en"><head><title>Preview</title></head><body><main id="page"></main></body></html>';

/** Gives a page the styles of this one, and waits until they are there. */
async function copyStyles(page: Document): Promise<void> {
	const root = document.documentElement.getAttribute('style');
	if (root) page.documentElement.setAttribute('style', root);
	const loading = [...document.querySelectorAll<HTMLElement>('style, link[rel="stylesheet"]')].map(
		(style) => {
			const copy = page.importNode(style, true);
			const isThere = new Promise<void>((done) => {
				if (copy.tagName === 'STYLE') return done();
				copy.addEventListener('load', () => done());
				copy.addEventListener('error', () => done());
			});
			page.head.append(copy);
			return isThere;
		},
	);
	await Promise.all(loading);
}

/** Pairs of what is written and where the page shows it: all blocks where each is one, else the headings. */
function pairsOf(written: Element, shown: Element): [Element, Element][] {
	const blocks = [...written.children].filter(
		(block) => !block.matches('p') || block.textContent !== '' || block.querySelector('img, span'),
	);
	const [from, to] =
		blocks.length === shown.children.length
			? [blocks, [...shown.children]]
			: [headingsOf(written), headingsOf(shown)];
	return from.slice(0, to.length).map((block, index) => [block, to[index]!]);
}

const headingsOf = (text: Element) => [...text.querySelectorAll(':scope > :is(h2, h3, h4)')];

/**
 * Returns where a height of the text is in its page. Both are measured from the top of their windows; between two
 * places that are known, what is between them is spread evenly.
 */
function placeIn(written: Element, shown: Element, height: number): number {
	const points = pairsOf(written, shown).map(
		([from, to]) => [from.getBoundingClientRect().top, to.getBoundingClientRect().top] as const,
	);
	const [from, to] = [written.getBoundingClientRect(), shown.getBoundingClientRect()];
	return between([[from.top, to.top], ...points, [from.bottom, to.bottom]], height);
}

/** Returns what belongs to a number on a line through points, whose first numbers grow. */
export function between(points: readonly (readonly [number, number])[], at: number): number {
	const next = points.findIndex(([from]) => from > at);
	if (next === 0) return points[0]![1] + at - points[0]![0];
	const [from, to] = points.at(next === -1 ? -1 : next - 1)!;
	if (next === -1) return to + at - from;
	const [nextFrom, nextTo] = points[next]!;
	return to + ((at - from) / (nextFrom - from)) * (nextTo - to);
}
