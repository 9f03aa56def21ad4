import { expect, test } from 'vitest';
import { articleQuestions } from './questions.ts';

const about = {
	questions: null,
	title: 'Counting',
	excerpt: 'How to count.',
	category: 'Data science',
	tags: ['Statistics', 'Python'],
	readTime: 4,
	wordCount: 1200,
	html: '',
	headings: [],
};
const heading = (text: string, depth = 2) => ({ depth, slug: 'x', text });
const drawn = (number: number, text: string) =>
	`<figure><svg></svg><figcaption><strong>Figure ${number}.</strong> ${text}</figcaption></figure>`;

test('an article is asked for what it says, answered from its own headings and figures', () => {
	const questions = articleQuestions({
		...about,
		headings: [heading('Why counting fails'), heading('A detail', 3), heading('Count twice')],
		html: `<p>x</p>${drawn(1, 'A rises &#x26; falls. From 3 to 5.')}<p>y</p>${drawn(2, 'B.')}`,
	});
	expect(questions).toEqual([
		{ question: 'What does “Counting” say, in short?', answer: 'How to count.' },
		{
			question: 'Which steps does the argument take?',
			answer: 'Under its own headings: Why counting fails; Count twice.',
		},
		{ question: 'What do its figures show?', answer: 'A rises & falls. From 3 to 5. B.' },
	]);
});

test('an article with questions of its own has those, each with what follows its question mark', () => {
	const questions = 'Is it so? Yes. Why?\n\n  What is "it"?  Nobody\'s.\nno question';
	expect(articleQuestions({ ...about, questions })).toEqual([
		{ question: 'Is it so?', answer: 'Yes. Why?' },
		{ question: 'What is “it”?', answer: 'Nobody’s.' },
	]);
});

test('an article without headings and figures has three answers that are not empty', () => {
	const questions = articleQuestions({ ...about, excerpt: null, tags: [] });
	expect(questions.map(({ question }) => question)).toEqual([
		'What does “Counting” say, in short?',
		'How long does it take to read?',
		'Where can I read more on the subject?',
	]);
	for (const { answer } of questions) expect(answer.length).toBeGreaterThan(30);
});
