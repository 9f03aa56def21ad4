import type { ComingIssue } from '#src/features/home/home.ts';
import { plural } from '#src/lib/text.ts';

/** Returns what is to be known of the next issue: what is in it, for how many, and what it lacks. */
export function issueWords(issue: ComingIssue): string {
	const { articles, recipients, hasWords, isEmpty, mode, waiting } = issue;
	const parts = [`${plural(articles, 'article')} for ${plural(recipients, 'person', 'people')}.`];
	if (isEmpty) parts.push('An issue with nothing in it does not go out.');
	else if (recipients === 0) parts.push('Nobody would get it.');
	else if (!hasWords) parts.push('No words of yours yet.');
	if (mode === 'skip' && !waiting) parts.push('It is skipped.');
	else if (mode === 'ask' && !waiting && !isEmpty) parts.push('You are asked before it goes out.');
	return parts.join(' ');
}

/** Returns how many people came and left; nothing where nobody did. */
export function readersWords({ joined, left }: { joined: number; left: number }): string {
	const parts = [
		...(joined > 0 ? [`${plural(joined, 'person', 'people')} subscribed`] : []),
		...(left > 0 ? [`${plural(left, 'person', 'people')} left`] : []),
	];
	return parts.join(', ');
}

/** Returns why a post waits for a review. */
export function reviewWords({ staleAfter }: { staleAfter: string | null }, now: string): string {
	if (!staleAfter || staleAfter.slice(0, 10) > now.slice(0, 10))
		return 'Not looked at for 90 days.';
	return staleAfter.slice(11) || `True until ${staleAfter}.`;
}
