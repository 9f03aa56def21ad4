import { OTHER_LINKS } from './issue.ts';
import type { IssuePage } from './next-issue.ts';
import { claimOf } from '#src/features/posts/claim.ts';
import { paths } from '#src/site.ts';

/**
 * The page of an issue below its title: the picture of what that claims, the editor's words, articles, other links,
 * corrections.
 */
export function IssueArticles({ words, posts, links, corrections }: Omit<IssuePage, 'date'>) {
	const [first] = posts;
	return (
		<div className={first?.lead && 'issue'}>
			{first?.lead && (
				<figure className="mt-8">
					<img className="issue-picture h-auto w-full" {...first.lead.picture} />
					<figcaption className="label mt-3">
						From{' '}
						<cite className="not-italic">
							{first.slug ? (
								<a className="link" href={paths.post(first.slug)}>
									{first.title}
								</a>
							) : (
								first.title
							)}
						</cite>
					</figcaption>
				</figure>
			)}
			<div>
				{words && <div className="prose mt-8" dangerouslySetInnerHTML={{ __html: words }} />}
				{posts.length > 0 && (
					<ul className="mt-8 border-t border-line">
						{posts.map(({ slug, title, excerpt, category, minutes }, index) => (
							<li key={index} className="frame frame-hover border-b border-line py-6">
								<p className="label">
									{category} · {minutes} min read
								</p>
								<h2 id={`article-${index + 1}`} className="mt-1 text-xl!">
									{slug ? (
										<a className="link" href={paths.post(slug)}>
											{title}
										</a>
									) : (
										title
									)}
								</h2>
								{excerpt && (
									<p className="claim mt-2">
										{claimOf(excerpt, Infinity).map(({ text, isNumber }, at) =>
											isNumber ? <strong key={at}>{text}</strong> : text,
										)}
									</p>
								)}
							</li>
						))}
					</ul>
				)}
				{links.length > 0 && (
					<>
						<h2 className="mt-12">{OTHER_LINKS}</h2>
						<ul className="mt-4 grid gap-3">
							{links.map(({ title, href, text }, index) => (
								<li key={index}>
									<a className="link" href={href}>
										{title}
									</a>
									{text && <span className="block text-muted">{text}</span>}
								</li>
							))}
						</ul>
					</>
				)}
				{corrections.length > 0 && (
					<>
						<h2 className="mt-12">Corrected since the last issue</h2>
						<ul className="mt-4 grid gap-3">
							{corrections.map(({ slug, title, note }, index) => (
								<li key={index}>
									<a className="link" href={paths.changes(slug)}>
										{title}
									</a>
									{note && <span className="block text-muted">{note}</span>}
								</li>
							))}
						</ul>
					</>
				)}
			</div>
		</div>
	);
}
