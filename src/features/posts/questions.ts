import { toString } from 'hast-util-to-string';
import { parseHtml } from '#src/core/articles/sanitize.ts';
import type { Heading } from '#src/core/articles/render.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { formatCount, plural, joinWithAnd } from '#src/lib/text.ts';
import { questionsIn } from './asked.ts';

type About = {
	questions: string | null;
	title: string;
	excerpt: string | null;
	category: string;
	tags: string[];
	readTime: number;
	wordCount: number;
	html: string;
	headings: Heading[];
};

/** Figures that one answer tells of: a reader who wants all of them scrolls. */
const MAX_FIGURES = 3;

/** Returns the questions below an article: its own, or three (product.md section 2) that its headings and figures answer. */
export function articleQuestions(about: About) {
	const own = questionsIn(curlQuotes(about.questions ?? ''));
	if (own.length > 0) return own;
	const { title, excerpt, category, tags, readTime, wordCount } = about;
	const points = about.headings.filter(({ depth }) => depth === 2).map(({ text }) => text);
	const figures = captionsOf(about.html).slice(0, MAX_FIGURES);
	return [
		{
			question: `What does “${title}” say, in short?`,
			answer: excerpt ?? `It is an article in our ${category} category.`,
		},
		points.length > 1
			? {
					question: 'Which steps does the argument take?',
					answer: `Under its own headings: ${points.join('; ')}.`,
				}
			: {
					question: 'How long does it take to read?',
					answer: `About ${plural(readTime, 'minute')}: it has ${formatCount(wordCount)} words, code and tables included.`,
				},
		figures.length > 0
			? {
					question:
						figures.length === 1 ? 'What does its figure show?' : 'What do its figures show?',
					answer: figures.join(' '),
				}
			: {
					question: 'Where can I read more on the subject?',
					answer: `The ${category} category collects all our articles in this field${tags.length > 0 ? `, and the tags ${joinWithAnd(tags)} lead to related ones in other fields` : ''}.`,
				},
	];
}

/** Returns what the captions of drawn figures say, without their numbers. */
function captionsOf(html: string): string[] {
	return [...html.matchAll(/<figcaption><strong>Figure \d+\.<\/strong>([^<]*)<\/figcaption>/g)].map(
		([, text = '']) => toString(parseHtml(text)).trim(),
	);
}
