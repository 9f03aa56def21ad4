type Props = { items: { slug: string; text: string }[] };

/** The parts of a long text, beside it where there is room: nothing where there are fewer than two. */
export function Contents({ items }: Props) {
	if (items.length < 2) return null;
	return (
		<nav aria-label="Contents" className="no-print hidden lg:block">
			<div className="sticky top-[calc(var(--header)+2rem)] border-l border-line pl-5">
				<h2 className="label">Contents</h2>
				<ol className="mt-3 grid gap-1 text-sm">
					{items.map(({ slug, text }) => (
						<li key={slug}>
							<a
								className="inline-flex min-h-6 items-center py-0.5 text-muted hover:text-ink"
								href={`#${slug}`}
							>
								{text}
							</a>
						</li>
					))}
				</ol>
			</div>
		</nav>
	);
}
