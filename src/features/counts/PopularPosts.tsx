import { useEffect, useState, type ReactNode } from 'react';
import { MIN_READINGS, type PostSummary } from '#src/features/posts/post.ts';
import { INVENTED_RANGES, fillWithInvented } from '#src/features/promotion/invented-counts.ts';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { listMostShared, listTrending } from './counts.api.ts';

/** A post as its rows show it. */
type Row = Pick<PostSummary, 'id' | 'slug' | 'title' | 'readTime' | 'views' | 'shareCount'>;

type Kind = {
	title: string;
	endpoint: Endpoint<object, PostSummary[]>;
	rows: number;
	/** How long a response stays fresh (product.md section 9). */
	freshMs: number;
	count: (post: Row) => number;
	unit: string;
	/** Range of the invented figure of a post without a count. */
	invent: { from: number; to: number };
};

const WIDGETS: Record<'trending' | 'mostShared', Kind> = {
	trending: {
		title: 'Trending',
		endpoint: listTrending,
		rows: 5,
		freshMs: MINUTE,
		count: ({ views }) => views,
		unit: 'view',
		invent: INVENTED_RANGES.views,
	},
	mostShared: {
		title: 'Most shared',
		endpoint: listMostShared,
		rows: 3,
		freshMs: 5 * MINUTE,
		count: ({ shareCount }) => shareCount,
		unit: 'share',
		invent: INVENTED_RANGES.shares,
	},
};

type Props = {
	kind: keyof typeof WIDGETS;
	/** Shown in its place while too little is counted. */
	children?: ReactNode;
	/** Invented proof is on: a post without a count shows an invented figure. */
	invented?: boolean;
	/** Shown until there is an answer, and then in the places that too few were counted for. */
	initial?: Row[];
	/** Little was counted when the page was built: what stands in its place is there from the start. */
	expectsFew?: boolean;
};

/** Trending or most-shared posts by real figures, fetched when visible and again while the tab is visible. */
export const PopularPosts = island(Widget);

function Widget({ kind, invented = false, expectsFew = false, initial, children }: Props) {
	const { title, endpoint, rows, freshMs, count, unit, invent } = WIDGETS[kind];
	const [posts, setPosts] = useState<Row[] | undefined>(initial);
	const [failed, setFailed] = useState(false);

	useEffect(() => {
		let askedAt = -Infinity;
		async function refresh() {
			if (document.hidden || Date.now() - askedAt < freshMs) return;
			askedAt = Date.now();
			try {
				const fresh = await call(endpoint, {});
				setPosts((initial ? countedFirst(fresh, initial, count) : fresh).slice(0, rows));
			} catch {
				// Keep what is shown; the next round tries again.
				setFailed(true);
			}
		}
		const wake = () => void refresh();
		wake();
		const timer = setInterval(wake, freshMs);
		document.addEventListener('visibilitychange', wake);
		return () => {
			clearInterval(timer);
			document.removeEventListener('visibilitychange', wake);
		};
	}, [endpoint, rows, freshMs, count, initial]);

	const readings = posts?.reduce((sum, { views }) => sum + views, 0) ?? 0;
	const shown = invented
		? fillWithInvented(posts ?? [], count, invent)
		: (posts ?? []).map((post) => [post, count(post)] as const).filter(([, figure]) => figure > 0);
	const hasFew = posts ? readings < MIN_READINGS || shown.length === 0 : expectsFew;
	if (hasFew && !invented) return children;
	return (
		<section>
			<h3 className="label">{title}</h3>
			{!posts && !failed && (
				<div
					className="popular mt-3 border-t border-line"
					role="status"
					aria-label={`Loading ${title.toLowerCase()}`}
				>
					{Array.from({ length: rows }, (_, index) => (
						<div key={index} className="border-b border-line">
							<div className="skeleton h-full!" />
						</div>
					))}
				</div>
			)}
			{!posts && failed && <p className="mt-3 text-muted">Unable to load blog posts</p>}
			{posts && (
				<ol className="popular mt-3 border-t border-line">
					{shown.map(([post, figure]) => (
						<li key={post.id} className="border-b border-line">
							<a className="font-semibold hover:text-accent" href={paths.post(post.slug)}>
								{curlQuotes(post.title)}
							</a>
							<p className="label mt-0.5">
								{plural(figure, unit)} · {post.readTime} min read
							</p>
						</li>
					))}
				</ol>
			)}
			{kind === 'trending' && (
				<p className="mt-4">
					<a className="link inline-flex min-h-6 items-center text-sm" href="/blog?sort=trending">
						All trending articles
					</a>
				</p>
			)}
		</section>
	);
}

/** Returns the posts that were counted, then the others, each once. */
function countedFirst(fresh: Row[], others: Row[], count: (post: Row) => number): Row[] {
	const counted = fresh.filter((post) => count(post) > 0);
	return [...counted, ...others.filter(({ id }) => counted.every((one) => one.id !== id))];
}
