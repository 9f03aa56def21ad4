import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Button } from '#src/components/ui/Button.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { listPosts } from '#src/features/posts/posts.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { paths } from '#src/site.ts';
import { recommend } from './reader.ts';

/** Number of posts to fetch and to show (product.md section 9). */
const RECOMMENDATIONS = { fetch: 4, show: 3 } as const;

/** Some recent articles for returning readers. */
export const Recommendations = island(List);

function List({ postId }: { postId: string }) {
	const {
		data: posts,
		error,
		loading,
		reload,
	} = useAsync(postId, async () => {
		const recent = await call(listPosts, { limit: RECOMMENDATIONS.fetch });
		return recommend(recent, postId, RECOMMENDATIONS.show, Math.random);
	});
	const failed = error !== undefined && !loading;

	if (posts?.length === 0) return null;
	return (
		<section aria-labelledby="recommended">
			<h2 id="recommended" className="mb-6" tabIndex={-1}>
				Recommended for you
			</h2>
			{failed && (
				<div role="alert">
					<p>Unable to load blog posts</p>
					<Button
						variant="quiet"
						className="mt-3"
						onClick={() => {
							reload();
							document.getElementById('recommended')?.focus({ preventScroll: true });
						}}
					>
						Try again
					</Button>
				</div>
			)}
			{!failed && !posts && (
				<Skeleton label="Loading recommendations" rows={RECOMMENDATIONS.show} />
			)}
			{posts && (
				<ul className="grid gap-5 md:grid-cols-3">
					{posts.map(({ id, slug, title, category, readTime, excerpt }) => (
						<li key={id}>
							<article className="card frame frame-hover">
								<p className="label">{category.name}</p>
								<h3>
									<a href={paths.post(slug)}>{title}</a>
								</h3>
								{excerpt && <p className="text-muted">{excerpt}</p>}
								<p className="label mt-auto pt-2">{readTime} min read</p>
							</article>
						</li>
					))}
				</ul>
			)}
		</section>
	);
}
