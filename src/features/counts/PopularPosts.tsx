import { useEffect, useRef, useState } from 'react';
import type { PostSummary } from '#src/features/posts/post.ts';
import { INVENT } from '#src/features/promotion/figures.ts';
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
	count: (post: PostSummary) => number;
	unit: string;
	/** Draws a stand-in for a figure that nobody has counted yet. */
	invent: (random: () => number) => number;
};

const WIDGETS: Record<'trending' | 'mostShared', Kind> = {
	trending: {
		title: 'Trending',
		endpoint: listTrending,
		rows: 5,
		freshMs: MINUTE,
		count: ({ views }) => views,
		unit: 'view',
		invent: INVENT.views,
	},
	mostShared: {
		title: 'Most shared',
		endpoint: listMostShared,
		rows: 3,
		freshMs: 5 * MINUTE,
		count: ({ shareCount }) => shareCount,
		unit: 'share',
		invent: INVENT.shares,
	},
};

type Props = {
	kind: keyof typeof WIDGETS;
	/** Invented proof is on: a post without a figure shows one that this page draws. */
	invented?: boolean;
};

/** The trending or the most-shared posts, by real figures: fetched when seen, and again while the tab is visible. */
export const PopularPosts = island(Widget);

function Widget({ kind, invented = false }: Props) {
	const { title, endpoint, rows, freshMs, count, unit, invent } = WIDGETS[kind];
	const [posts, setPosts] = useState<PostSummary[]>();
	const [failed, setFailed] = useState(false);
	const drawn = useRef(new Map<string, number>());

	useEffect(() => {
		let stale = false;
		let askedAt = -Infinity;
		async function refresh() {
			if (document.hidden || Date.now() - askedAt < freshMs) return;
			askedAt = Date.now();
			try {
				const fresh = await call(endpoint, {});
				if (!stale) setPosts(fresh.slice(0, rows));
			} catch {
				// What is shown stays; the next round tries again.
				if (!stale) setFailed(true);
			}
		}
		const wake = () => void refresh();
		wake();
		const timer = setInterval(wake, freshMs);
		document.addEventListener('visibilitychange', wake);
		return () => {
			stale = true;
			clearInterval(timer);
			document.removeEventListener('visibilitychange', wake);
		};
	}, [endpoint, rows, freshMs]);

	/** The real figure; else an invented one, always the same for a post on this page; else none. */
	function figure(post: PostSummary): string {
		const real = count(post);
		if (real > 0 || !invented) return real > 0 ? plural(real, unit) : '';
		const figure = drawn.current.get(post.id) ?? invent(Math.random);
		drawn.current.set(post.id, figure);
		return plural(figure, unit);
	}

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
