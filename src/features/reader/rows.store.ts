import { blogRow, loadPart, partPaths } from '#src/features/posts/blog-list.ts';
import { storedMap } from '#src/lib/stored.ts';

/** Rows of lists, by the addresses of their articles: kept with what a reader keeps, so that they are there without a connection. */
export const $articleRows = storedMap('articleRows', blogRow);

/** Adds what lists show of these articles, as far as the newest and most read ones are among them. */
export async function keepRows(slugs: readonly string[]): Promise<void> {
	if (!navigator.onLine) return;
	const [newest] = partPaths(0);
	const rows = (await loadPart(newest!)).filter(({ slug }) => slugs.includes(slug));
	$articleRows.set({
		...$articleRows.get(),
		...Object.fromEntries(rows.map((row) => [row.slug, row])),
	});
}

/** Removes what is kept of all other articles. */
export function pruneRows(slugs: readonly string[]): void {
	const rows = $articleRows.get();
	const kept = Object.entries(rows).filter(([slug]) => slugs.includes(slug));
	if (kept.length < Object.keys(rows).length) $articleRows.set(Object.fromEntries(kept));
}
