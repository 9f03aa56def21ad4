import { useEffect, useRef, useState, type ComponentType } from 'react';
import { createPortal } from 'react-dom';
import { Contents, FoldedContents } from '#src/components/ui/Contents.tsx';
import { island, PageError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { EXPLAINERS } from '#src/features/explainers/explainers.ts';
import { localDate } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { ArticleHead, ArticleTags } from './ArticleParts.tsx';
import { getPreview, type Preview } from './editing.api.ts';

type State =
	| { status: 'loading' }
	| { status: 'shown'; preview: Preview }
	| { status: 'refused'; message: string }
	| { status: 'failed' };

/** product.md section 2, article. */
const FAILED = 'There was an error loading this article. Please try again later.';

/** Shows the draft of the token in the address, as its page would. */
export const PreviewPage = island(Shown, 'page');

function Shown() {
	const [state, setState] = useState<State>({ status: 'loading' });

	async function load() {
		setState({ status: 'loading' });
		const token = new URLSearchParams(location.search).get('token') ?? '';
		try {
			const preview = await call(getPreview, { token });
			setState({ status: 'shown', preview });
			document.title = `Preview: ${preview.title || 'Untitled'}`;
		} catch (error) {
			const isRefused =
				error instanceof AppError && ['forbidden', 'not_found'].includes(error.code);
			setState(isRefused ? { status: 'refused', message: messageOf(error) } : { status: 'failed' });
		}
	}
	useEffect(() => void load(), []);

	switch (state.status) {
		case 'loading':
			return (
				<div className="wrap pt-12">
					<Skeleton label="Loading the preview" rows={5} />
				</div>
			);
		case 'failed':
			return (
				<div className="wrap pt-12">
					<PageError message={FAILED} onRetry={() => void load()} />
				</div>
			);
		case 'refused':
			return (
				<div className="wrap pt-12 sm:pt-16">
					<div className="frame mx-auto max-w-xl px-6 py-12 text-center">
						<p className="frame-label">preview</p>
						<h1>No preview here</h1>
						<p className="mt-4 text-muted">{state.message}</p>
						<p className="mt-6">
							<a className="button button-primary" href="/blog">
								Read our articles
							</a>
						</p>
					</div>
				</div>
			);
		case 'shown':
			return <Article preview={state.preview} />;
	}
}

const STATES: Record<Preview['state'], string> = {
	draft: 'This article is a draft.',
	scheduled: 'This article is scheduled.',
	published: 'This article is published; changes that are not saved to it show here.',
	unpublished: 'This article was taken back.',
	deleted: 'This article was deleted.',
};

function Article({ preview }: { preview: Preview }) {
	const contents = preview.headings.filter(({ depth }) => depth === 2);
	return (
		<article className="wrap mb-16 pt-8 sm:pt-12">
			<aside className="frame px-4 py-3 text-sm" aria-label="Preview">
				<strong>Preview.</strong> {STATES[preview.state]} Changed {localDate(preview.updatedAt)}.
				Whoever has this link can see it until {localDate(preview.expiresAt)}.
				{preview.problem && <strong> Shown as plain text: {preview.problem}</strong>}
			</aside>
			<header className="mt-8 max-w-4xl">
				<ArticleHead {...preview} formatDate={localDate} />
			</header>
			{preview.featuredImage && (
				<img
					src={preview.featuredImage}
					alt=""
					width="1200"
					height="630"
					className="mt-8 w-full max-w-4xl"
				/>
			)}
			<div className="mt-10 gap-16 lg:grid lg:grid-cols-[minmax(0,46rem)_1fr]">
				<div>
					<FoldedContents items={contents} />
					{preview.html ? (
						<Text html={preview.html} />
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

/** The article's text, with the explainers of its figures after their captions. */
function Text({ html }: { html: string }) {
	const ref = useRef<HTMLDivElement>(null);
	const [explainers, setExplainers] = useState<{ place: Element; View: ComponentType }[]>([]);

	useEffect(() => {
		let isGone = false;
		const places: Element[] = [];
		const loading = [...ref.current!.querySelectorAll<HTMLElement>('figure[data-explainer]')].map(
			async (figure) => {
				const View = await EXPLAINERS.get(figure.dataset['explainer']!)?.();
				if (!View || isGone) return [];
				const place = document.createElement('div');
				places.push(place);
				const { firstElementChild: first } = figure;
				if (first?.matches('figcaption')) first.after(place);
				else figure.prepend(place);
				return [{ place, View }];
			},
		);
		// An explainer that cannot be loaded leaves its figure as it is.
		void Promise.allSettled(loading).then((all) => {
			if (isGone) return;
			setExplainers(all.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])));
		});
		return () => {
			isGone = true;
			for (const place of places) place.remove();
			setExplainers([]);
		};
	}, [html]);

	return (
		<>
			<div className="prose" ref={ref} dangerouslySetInnerHTML={{ __html: html }} />
			{explainers.map(({ place, View }, index) => createPortal(<View />, place, String(index)))}
		</>
	);
}
