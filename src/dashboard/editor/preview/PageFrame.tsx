import { useEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import { createPortal } from 'react-dom';

type Props = {
	title: string;
	/** Width of its screen in pixels; it is drawn smaller where there is less room. */
	width: number;
	children: ReactNode;
	ref: Ref<HTMLIFrameElement>;
};

/** A page inside the page, with the same styles and a screen of its own: what depends on a screen's width does so here. */
export function PageFrame({ title, width, children, ref }: Props) {
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
	useEffect(() => {
		if (!page) return;
		const copyTheme = () => {
			const { theme } = document.documentElement.dataset;
			if (theme) page.documentElement.dataset['theme'] = theme;
			else delete page.documentElement.dataset['theme'];
		};
		copyTheme();
		const observer = new MutationObserver(copyTheme);
		observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
		return () => observer.disconnect();
	}, [page]);

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
