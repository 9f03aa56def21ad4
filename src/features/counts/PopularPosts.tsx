import { useEffect, useState } from 'react';
import type { PostSummary } from '#src/features/posts/post.ts';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { listMostShared, listTrending } from './counts.api.ts';

type Kind = {
	title: string;
	endpoint: Endpoint<object, PostSummary[]>;
	rows: number;
	/** How long an answer counts as fresh (specification section 9). */
	freshMs: number;
	figure: (post: PostSummary) => string;
};

const WIDGETS: Record<'trending' | 'mostShared', Kind> = {
	trending: {
		title: 'Trending',
		endpoint: listTrending,
		rows: 5,
		freshMs: MINUTE,
		figure: ({ views }) => (views > 0 ? plural(views, 'view') : ''),
	},
	mostShared: {
		title: 'Most shared',
		endpoint: listMostShared,
		rows: 3,
		freshMs: 5 * MINUTE,
		figure: ({ shareCount }) => (shareCount > 0 ? plural(shareCount, 'share') : ''),
	},
};

/** The trending or the most-shared posts, by real figures: fetched when seen, and again while the tab is visible. */
export const PopularPosts = island(Widget);

function Widget({ kind }: { kind: keyof typeof WIDGETS }) {
	const { title, endpoint, rows, freshMs, figure } = WIDGETS[kind];
	const [posts, setPosts] = useState<PostSummary[]>();
	const [failed, setFailed] = useState(false);

	useEffect(() => {
		let stale = false;
		async function refresh() {
			if (document.hidden) return;
			try {
				const fresh = await call(endpoint, {});
				if (!stale) setPosts(fresh.slice(0, rows));
			} catch {
				// What is shown stays; the next round tries again.
				if (!stale) setFailed(true);
			}
		}
		void refresh();
		const timer = setInterval(() => void refresh(), freshMs);
		return () => {
			stale = true;
			clearInterval(timer);
		};
	}, [endpoint, rows, freshMs]);

	return (
		<section>
			<h3 className="label">{title}</h3>
			{!posts && !failed && (
				<div
					className="mt-3 grid gap-2"
					role="status"
					aria-label={`Loading ${title.toLowerCase()}`}
				>
					{Array.from({ length: rows }, (_, index) => (
						<div key={index} className="skeleton" />
					))}
				</div>
			)}
			{!posts && failed && <p className="mt-3 text-muted">Unable to load blog posts</p>}
			{posts && (
				<ol className="mt-3 border-t border-line">
					{posts.map((post) => (
						<li key={post.id} className="border-b border-line py-2.5">
							<a className="font-semibold hover:text-accent" href={paths.post(post.slug)}>
								{post.title}
							</a>
							<p className="label mt-0.5">
								{[figure(post), `${post.readTime} min read`].filter(Boolean).join(' · ')}
							</p>
						</li>
					))}
				</ol>
			)}
		</section>
	);
}
