import { expect, test } from 'vitest';
import { domainOf, headerLine, letterText } from './letter.ts';

test.each([
	['Ada\r\nBcc: all@example.com', 'Ada Bcc: all@example.com'],
	['Ada\n\n', 'Ada'],
	['a\u2028b\u0000c\u200bd', 'a b c d'],
	['  two   words ', 'two words'],
])('%j is one line', (text, line) => {
	expect(headerLine(text)).toBe(line);
});

test('a line ends at its limit', () => {
	expect(headerLine('a'.repeat(201))).toHaveLength(200);
	expect(headerLine('abc', 2)).toBe('ab');
});

test('the domain of an address is what follows the last @', () => {
	expect(domainOf('ada@example.com')).toBe('example.com');
	expect(domainOf('"a@b"@example.com')).toBe('example.com');
});

test('the plain text has every part of the letter, its links and the reason', () => {
	const text = letterText({
		subject: 'S',
		preview: 'P',
		label: 'L',
		title: 'Title',
		blocks: [
			{ kind: 'text', text: 'Words.' },
			{ kind: 'button', label: 'Read', href: 'https://a.example/1' },
			{ kind: 'facts', items: [['From', 'Ada']] },
			{ kind: 'quote', text: 'one\ntwo' },
			{
				kind: 'entries',
				items: [{ title: 'Post', href: 'https://a.example/2', label: '5 min', text: 'About.' }],
			},
			{ kind: 'article', html: '<p>x</p>', text: '# Lesson\n' },
		],
		why: 'You asked for it.',
		links: { leave: 'https://a.example/leave', preferences: 'https://a.example/choose' },
	});
	expect(text.split('\n\n')).toEqual([
		'Title',
		'Words.',
		'Read:\nhttps://a.example/1',
		'From: Ada',
		'> one\n> two',
		'Post (5 min)\nAbout.\nhttps://a.example/2',
		'# Lesson',
		expect.stringContaining('Groundtruth'),
		'You asked for it.',
		'Unsubscribe: https://a.example/leave\nChoose what you get: https://a.example/choose\n',
	]);
});
