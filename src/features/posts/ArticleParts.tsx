import { paths } from '#src/site.ts';
import type { CategoryRef } from './post.ts';

type HeadProps = {
	title: string;
	excerpt: string | null;
	author: string;
	/** The author's page. */
	byline?: { slug: string } | null;
	readTime: number;
	category: CategoryRef | null;
	publishedAt: string | null;
	formatDate: (date: string) => string;
	/** Path of the page that says how articles are checked, or an empty text. */
	checkedPath: string;
	/** Its places in series. */
	series?: readonly { name: string; slug: string; part: number; total: number }[];
};

/** Head of an article, in its page and in its preview: category, date, title, introduction and author. */
export function ArticleHead(props: HeadProps) {
	const { title, excerpt, author, byline, readTime, category, publishedAt, formatDate } = props;
	const { checkedPath, series = [] } = props;
	return (
		<>
			<p className="contents">
				{category && (
					<a className="chip" href={paths.category(category.slug)} dir="auto">
						{category.name}
					</a>
				)}
				<span className="label">
					{publishedAt && (
						<time dateTime={publishedAt} data-local="long">
							{formatDate(publishedAt)}
						</time>
					)}
					{` · ${readTime} min read`}
				</span>
			</p>
			<h1 className="w-full" dir="auto">
				{title}
			</h1>
			{excerpt && (
				<p className="lede w-full" dir="auto">
					{excerpt}
				</p>
			)}
			<p className="label">
				{byline ? (
					<>
						By{' '}
						<a className="link" href={paths.author(byline.slug)} rel="author">
							{author}
						</a>
					</>
				) : (
					`By ${author}`
				)}
				{checkedPath && (
					<span className="no-print">
						{' · '}
						<a className="link" href={checkedPath}>
							how articles are checked
						</a>
					</span>
				)}
				{series.map(({ name, slug, part, total }) => (
					<span key={slug} className="block">
						{` Part ${part} of ${total} in `}
						<a className="link" href={paths.series(slug)}>
							{name}
						</a>
					</span>
				))}
			</p>
		</>
	);
}

/** Tags of an article, in its page and in its preview, where a tag may have no page yet. */
export function ArticleTags({ tags }: { tags: readonly { name: string; slug?: string }[] }) {
	if (tags.length === 0) return null;
	return (
		<ul className="no-print mt-10 flex flex-wrap gap-2" aria-label="Tags">
			{tags.map(({ name, slug }) => (
				<li key={name}>
					{slug === undefined ? (
						<span className="chip" dir="auto">
							{name}
						</span>
					) : (
						<a className="chip" href={paths.tag(slug)} dir="auto">
							{name}
						</a>
					)}
				</li>
			))}
		</ul>
	);
}
