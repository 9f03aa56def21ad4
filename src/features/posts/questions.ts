import { formatCount, plural, joinWithAnd } from '#src/lib/text.ts';

type About = {
	title: string;
	excerpt: string | null;
	category: string;
	tags: string[];
	readTime: number;
	wordCount: number;
};

/** Returns the three generated questions below an article (product.md section 2). */
export function articleQuestions({ title, excerpt, category, tags, readTime, wordCount }: About) {
	return [
		{
			question: 'What is this article about?',
			answer: excerpt ?? `“${title}” is an article in our ${category} category.`,
		},
		{
			question: 'How long does it take to read?',
			answer: `About ${plural(readTime, 'minute')}: it has ${formatCount(wordCount)} words, code and tables included. The table of contents lets you jump to a part.`,
		},
		{
			question: 'Where can I read more on the subject?',
			answer: `The ${category} category collects all our articles in this field${tags.length > 0 ? `, and the tags ${joinWithAnd(tags)} lead to related ones in other fields` : ''}.`,
		},
	];
}
