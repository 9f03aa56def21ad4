import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import type { Category } from '#src/features/categories/category.ts';
import { renderContent } from '#src/features/posts/editing.api.ts';
import { minutesOf, UNTITLED, type PostForm } from '#src/features/posts/editing.ts';
import { PreviewArticle } from '#src/features/posts/PreviewArticle.tsx';
import { messageOf } from '#src/lib/errors.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { placeIn } from './follow.ts';
import { PageFrame } from './PageFrame.tsx';

type Props = {
	form: PostForm;
	/** Whose it is where the form names nobody. */
	author: string;
	categories: readonly Category[];
	/** Shows the saved draft in a tab of its own. */
	onOpen: () => void;
};

/** Widths of the screens that a page can be seen on, in pixels. */
const SCREENS = { Phone: 390, Desktop: 1280 } as const;
/** Milliseconds from the last word to its page, beside those of the editor. */
const PAUSE_MS = 300;

/** The page of what is being written, as readers would see it now. It goes along with the text. */
export function LivePreview({ form, author, categories, onOpen }: Props) {
	const [screen, setScreen] = useState<keyof typeof SCREENS>('Phone');
	const frame = useRef<HTMLIFrameElement>(null);
	const { content } = form;
	const { data, error, reload } = useAsync(
		content,
		() => callAsAdmin(renderContent, { content }),
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
				<Button variant="quiet" onClick={onOpen}>
					Open in a new tab
				</Button>
			</div>
			{data?.problem && (
				<p role="alert" className="field-error">
					Shown as plain text: {data.problem}
				</p>
			)}
			{error !== undefined && <SectionError message={messageOf(error)} onRetry={reload} />}
			{data ? (
				<PageFrame ref={frame} title="The article as its page" width={SCREENS[screen]}>
					<div onClickCapture={openElsewhere}>
						<PreviewArticle
							preview={{
								...form,
								...data,
								title: form.title || UNTITLED,
								author: form.author || author,
								category: categories.find(({ id }) => id === form.categoryId) ?? null,
								readTime: minutesOf(form),
								publishedAt: form.publishedAt || null,
							}}
						/>
					</div>
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

/** Shows the same place of the article at the same height, where both are in view. */
function scrollAlong(frame: HTMLIFrameElement | null) {
	const page = frame?.contentWindow;
	const shown = frame?.contentDocument?.querySelector('.prose');
	const written = document.querySelector('.article-surface');
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
	const written = document.querySelector('.article-surface');
	const { anchorNode } = document.getSelection() ?? {};
	if (!frame?.contentWindow || !shown || !anchorNode || !written?.contains(anchorNode)) return;
	const cursor = document.getSelection()!.getRangeAt(0).getBoundingClientRect();
	if (cursor.height === 0) return;
	const at = placeIn(written, shown, cursor.top);
	const { contentWindow: page } = frame;
	if (at >= 0 && at < page.innerHeight - 48) return;
	page.scrollBy({ top: at - page.innerHeight * 0.6, behavior: 'instant' });
}
