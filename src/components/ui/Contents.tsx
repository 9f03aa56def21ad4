type Props = { items: { slug: string; text: string }[] };

/** Table of contents beside a long text, where there is room. Renders nothing for fewer than two parts. */
export function Contents({ items }: Props) {
	if (items.length < 2) return null;
	return (
		<nav aria-label="Contents" className="hidden grow lg:block">
			<div className="sticky top-[calc(var(--header)+2rem)] border-l border-line pl-5">
				<h2 className="label">Contents</h2>
				<ol className="contents-list contents-beside mt-3 grid gap-1 text-sm" data-follow>
					<Links items={items} />
				</ol>
			</div>
		</nav>
	);
}

/** The same on narrow screens: folded, above the text. */
export function FoldedContents({ items }: Props) {
	if (items.length < 2) return null;
	return (
		<nav aria-label="Contents" className="accordion mb-8 lg:hidden">
			<details>
				<summary>Contents</summary>
				<ol className="contents-list">
					<Links items={items} />
				</ol>
			</details>
		</nav>
	);
}

function Links({ items }: Props) {
	return items.map(({ slug, text }) => (
		<li key={slug}>
			<a href={`#${slug}`}>{text}</a>
		</li>
	));
}
