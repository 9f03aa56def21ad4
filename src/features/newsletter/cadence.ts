import { plural } from '#src/lib/text.ts';
import { site } from '#src/site.ts';
import { scheduleWords } from '#src/texts.ts';
import { issueSubject, issueTitle, type Schedule } from './issue.ts';
import type { Cadence } from './subscriber.ts';

/** Returns whose letter this is, by its id; null for a letter of its own, which is for all. */
export function cadenceOf(id: string): Cadence | null {
	if (id.startsWith('each-')) return 'each';
	if (id.startsWith('month-')) return 'monthly';
	return /^\d{4}-\d\d-\d\d$/.test(id) ? 'weekly' : null;
}

/** Returns when letters come to such a reader, in words that follow "comes". */
export function cadenceWords(
	cadence: Cadence,
	{ day, ...site }: Pick<Schedule, 'cadence' | 'day'>,
) {
	if (cadence === 'each') return 'with each article, one letter a day at most';
	return scheduleWords({ day, cadence: cadence === 'monthly' ? 'monthly' : site.cadence });
}

/** Returns the subject of a letter that tells of these articles, where it has none of its own. */
export function subjectOf(id: string, posts: { title: string }[]): string {
	const cadence = cadenceOf(id);
	if (cadence === 'monthly')
		return `${site.newsletter}: ${plural(posts.length, 'article')} of the last month`;
	const [first, ...others] = posts;
	if (cadence !== 'each' || !first) return issueSubject(posts);
	return others.length > 0
		? `${first.title} and ${plural(others.length, 'more article')}`
		: first.title;
}

/** Returns the headline of a letter that tells of so many articles. */
export function titleOf(id: string, count: number): string {
	if (cadenceOf(id) === 'monthly') return 'The last month';
	return issueTitle(count);
}
