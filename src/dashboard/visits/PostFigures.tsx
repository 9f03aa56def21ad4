import { LoadError } from '#src/components/ui/LoadError.tsx';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { getFigures } from '#src/features/visits/visits.api.ts';
import { figuresQuery, type FigureRow } from '#src/features/visits/visits.ts';
import { parse } from '#src/lib/endpoint.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';

const ARTICLES = parse(figuresQuery, { by: 'article' });

/** Returns how these articles were read in the last 30 days, by their paths; nothing until it is known. */
export function useReadArticles(slugs: string[]) {
	// Without any, all would be asked for.
	const asked = slugs.length > 0 ? slugs.map((slug) => paths.post(slug)) : [''];
	const { answer, loading, ...state } = useAnswer(getFigures, { ...ARTICLES, paths: asked });
	// The last answer is about other articles.
	const rows = loading || state.error !== undefined ? undefined : answer?.rows;
	return { read: rows && new Map(rows.map((row) => [row.key, row])), ...state };
}

/** Says how an article was read in the last 30 days, and leads to where its readers stop. */
export function PostFigures({ slug }: { slug: string }) {
	const path = paths.post(slug);
	const { answer, ...state } = useAnswer(getFigures, { ...ARTICLES, path });
	const [row] = answer?.rows ?? [];
	return (
		<section aria-label="Readers">
			<h2>Readers</h2>
			<p role="status">
				{!answer
					? ''
					: row
						? `${readWords(row)} in 30 days.`
						: 'Nobody was counted here in the last 30 days.'}
			</p>
			<LoadError what="How it was read" {...state} />
			<button type="button" className="link" onClick={() => openScreen('numbers', { path })}>
				Where readers come from, and where they stop
			</button>
		</section>
	);
}

/** Returns "12 views, 40% read to the end". */
export const readWords = ({ views, percent }: FigureRow): string =>
	`${plural(Number(views), 'view')}, ${Number(percent)}% read to the end`;
