import { MIN_READERS } from '#src/features/newsletter/subscriber.ts';
import { formatCount } from '#src/lib/text.ts';
import { letterTimes } from '#src/site.ts';
import { withTimes } from '#src/texts.ts';

/** Numbers that the site can count of itself as of a build. */
export type Counted = {
	articles: number;
	states: number;
	/** Articles whose code runs on the page. */
	running: number;
	/** Visitors a day in the last whole week. */
	readers: number;
};

/** Returns four figures with what they count: readers first where there are enough of them, otherwise what does not need counting last. */
export function countedFigures({ articles, states, running, readers }: Counted) {
	const figures: [figure: string, what: string][] = [
		[formatCount(articles), articles === 1 ? 'article' : 'articles'],
		[String(states), 'state guides'],
		...(running > 0 ? [[formatCount(running), 'with code that runs'] as [string, string]] : []),
	];
	return readers >= MIN_READERS
		? [[formatCount(readers), 'readers a day'], ...figures]
		: [...figures, ['1', withTimes('letter %EVERY%', letterTimes())]];
}
