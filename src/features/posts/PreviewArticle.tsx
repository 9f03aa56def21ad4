import {
	useEffect,
	useLayoutEffect,
	useRef,
	useState,
	type ComponentType,
	type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { Contents, FoldedContents } from '#src/components/ui/Contents.tsx';
import { EXPLAINERS } from '#src/features/explainers/explainers.ts';
import { offerRuns } from '#src/features/runs/controls.ts';
import { localDate } from '#src/lib/dates.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { randomId } from '#src/lib/random-id.ts';
import { ArticleHead, ArticleTags } from './ArticleParts.tsx';
import type { Preview } from './editing.api.ts';
import { FIRST_FIGURE } from './picture.ts';

type Props = {
	preview: Omit<Preview, 'state' | 'updatedAt' | 'expiresAt' | 'problem'>;
	/** Stands above the article. */
	children?: ReactNode;
};

/** An article that is not published, as its page would show it. */
export function PreviewArticle({ preview, children }: Props) {
	const contents = preview.headings.filter(({ depth }) => depth === 2);
	return (
		<article className="wrap mb-16 pt-8">
			{children}
			<div className={children ? 'article-columns mt-6' : 'article-columns'}>
				<header className="article-head flex flex-wrap items-center gap-3">
					<ArticleHead
						{...preview}
						title={curlQuotes(preview.title)}
						excerpt={curlQuotes(preview.excerpt)}
						formatDate={localDate}
					/>
				</header>
				{preview.featuredImage && preview.featuredImage !== FIRST_FIGURE && (
					<picture className="photo article-picture mt-5">
						<img src={preview.featuredImage} alt="" width="1200" height="630" />
					</picture>
				)}
			</div>
			<div className="article-columns mt-8">
				<div>
					<FoldedContents items={contents} />
					{preview.html ? (
						<PreviewText html={preview.html} />
					) : (
						<p className="text-muted">There is no text yet.</p>
					)}
				</div>
				<Contents items={contents} />
			</div>
			<ArticleTags tags={preview.tags.map((name) => ({ name }))} />
		</article>
	);
}

/** A block of the text as it stands in the page, and the HTML that it was made from. */
type Block = { node: ChildNode; html: string };

/** Shows a text. A block that is the same as before stays the same element: pictures do not flicker, nothing scrolls. */
function showBlocks(text: Element, before: readonly Block[], html: string): Block[] {
	const template = text.ownerDocument.createElement('template');
	template.innerHTML = html;
	const next = [...template.content.children].map((node) => ({ node, html: node.outerHTML }));
	const shorter = Math.min(before.length, next.length);
	let same = 0;
	while (same < shorter && before[same]!.html === next[same]!.html) same++;
	let sameAtEnd = 0;
	while (
		sameAtEnd < shorter - same &&
		before.at(-1 - sameAtEnd)!.html === next.at(-1 - sameAtEnd)!.html
	)
		sameAtEnd++;
	const rest = before.slice(before.length - sameAtEnd);
	const fresh = next.slice(same, next.length - sameAtEnd);
	for (const { node } of before.slice(same, before.length - sameAtEnd)) node.remove();
	for (const { node } of fresh) text.insertBefore(node, rest[0]?.node ?? null);
	return [...before.slice(0, same), ...fresh, ...rest];
}

type Explained = { id: string; place: Element; View: ComponentType };

/** A text, with the explainers of its figures after their captions. */
export function PreviewText({ html }: { html: string }) {
	const ref = useRef<HTMLDivElement>(null);
	const blocks = useRef<readonly Block[]>([]);
	const explained = useRef(new WeakSet<Element>());
	const [explainers, setExplainers] = useState<readonly Explained[]>([]);

	useLayoutEffect(() => {
		blocks.current = showBlocks(ref.current!, blocks.current, html);
		setExplainers((shown) => shown.filter(({ place }) => place.isConnected));
	}, [html]);
	useEffect(() => offerRuns(ref.current!), [html]);
	useEffect(() => {
		for (const figure of ref.current!.querySelectorAll<HTMLElement>('figure[data-explainer]')) {
			if (explained.current.has(figure)) continue;
			explained.current.add(figure);
			// One that is unknown or cannot be loaded leaves its figure as it is.
			void EXPLAINERS.get(figure.dataset['explainer']!)?.().then(
				(View) => {
					if (!figure.isConnected) return;
					const place = figure.ownerDocument.createElement('div');
					const { firstElementChild: first } = figure;
					if (first?.matches('figcaption')) first.after(place);
					else figure.prepend(place);
					setExplainers((shown) => [...shown, { id: randomId(), place, View }]);
				},
				() => undefined,
			);
		}
	}, [html]);

	return (
		<>
			<div className="prose" ref={ref} />
			{explainers.map(({ id, place, View }) => createPortal(<View />, place, id))}
		</>
	);
}
