import { useEffect, useState } from 'react';
import { island, PageError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { localDate } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { paths } from '#src/site.ts';
import { getPreview, type Preview } from './editing.api.ts';
import { PreviewArticle } from './PreviewArticle.tsx';

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
							<a className="button button-primary" href={paths.blog()}>
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
	return (
		<PreviewArticle preview={preview}>
			<aside className="frame px-4 py-3 text-sm" aria-label="Preview">
				<strong>Preview.</strong> {STATES[preview.state]} Changed {localDate(preview.updatedAt)}.
				Whoever has this link can see it until {localDate(preview.expiresAt)}.
				{preview.problem && <strong> Shown as plain text: {preview.problem}</strong>}
			</aside>
		</PreviewArticle>
	);
}
