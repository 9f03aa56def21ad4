import { afterEach, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, provideSettings } from '#src/site.ts';
import { emailDocument } from './email-document.server.ts';
import { domainOf, headerLine, emailText, type EmailContent } from './email-content.ts';

afterEach(() => provideSettings(DEFAULT_SETTINGS));

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
	expect(headerLine('ab😀', 3)).toBe('ab');
});

test('the domain of an address is what follows the last @', () => {
	expect(domainOf('ada@example.com')).toBe('example.com');
	expect(domainOf('"a@b"@example.com')).toBe('example.com');
});

test('the plain text has every part of the letter, its links and the reason', () => {
	const text = emailText({
		subject: 'S',
		preview: 'P',
		label: 'L',
		title: 'Title',
		blocks: [
			{ kind: 'text', text: 'Words.' },
			{ kind: 'button', label: 'Read', href: 'https://a.example/1' },
			{ kind: 'links', items: [{ label: 'Hide', href: 'https://a.example/3' }] },
			{ kind: 'facts', items: [['From', 'Ada']] },
			{ kind: 'quote', text: 'one\ntwo\n```js\nif (x)\n  y()\n```\nthree' },
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
		'Hide: https://a.example/3',
		'From: Ada',
		'> one\n> two\n> \n>     if (x)\n>       y()\n> \n> three',
		'Post (5 min)\nAbout.\nhttps://a.example/2',
		'# Lesson',
		expect.stringContaining('Groundtruth'),
		'You asked for it.',
		'Unsubscribe: https://a.example/leave\nChoose what you get: https://a.example/choose\n',
	]);
});

test('a letter ends with the name and postal address of who sends it, once there is one', () => {
	const letter: EmailContent = {
		subject: 'S',
		preview: 'P',
		label: 'L',
		title: 'Title',
		blocks: [{ kind: 'text', text: 'Words.' }],
		why: 'You asked for it.',
		links: { leave: 'https://a.example/leave' },
	};
	const tagline = `${DEFAULT_SETTINGS.name}: ${DEFAULT_SETTINGS.tagline}`;
	expect(emailText(letter)).toContain(`--\n${tagline}\n\nYou asked for it.`);
	expect(emailDocument(letter)).not.toContain('Main Street');
	provideSettings({ ...DEFAULT_SETTINGS, operator: 'Smith & Sons, 1 Main Street, Springfield' });
	expect(emailText(letter)).toContain(
		`--\n${tagline}\nSmith & Sons, 1 Main Street, Springfield\n\nYou asked for it.`,
	);
	expect(emailDocument(letter).split(tagline)[1]).toContain(
		'Smith &amp; Sons, 1 Main Street, Springfield',
	);
});

test('HTML keeps the lines of what somebody wrote, and an inbox shows nothing but the preview line', () => {
	const html = emailDocument({
		subject: 'S',
		preview: 'P <outlook-end></outlook-end>',
		label: 'L',
		online: 'https://a.example/online',
		title: 'Title',
		blocks: [{ kind: 'quote', text: 'if x:\n    <b>y</b>\nz' }],
		why: 'You asked for it.',
	});
	// Outlook knows no `white-space`.
	expect(html).not.toContain('white-space');
	expect(html).toContain('if x:<br/>\u00a0\u00a0\u00a0\u00a0&lt;b&gt;y&lt;/b&gt;<br/>z');
	expect(html).toMatch(
		/<body[^>]*>.*<div style="display:none[^>]*>P &lt;outlook-end&gt;.*\u034f\u200c/s,
	);
	expect(html).toContain('href="https://a.example/online"');
	// It knows no widths but of tables: one that it alone sees is around the letter.
	const [before, inside, after] = html.split(
		/<!--\[if mso\]><table[^>]*width="600"[^>]*><tr><td><!\[endif\]-->|<!--\[if mso\]><\/td><\/tr><\/table><!\[endif\]-->/,
	);
	expect(before).toContain('P &lt;');
	expect(inside).toMatch(/^<table align="center".*<\/table>$/s);
	expect(inside).toContain('You asked for it.');
	expect(after).toMatch(/<\/body><\/html>$/);
});

test('fenced code is code in what somebody wrote, and one button comes before the links', () => {
	const html = emailDocument({
		subject: 'S',
		preview: 'P',
		label: 'L',
		title: 'Title',
		blocks: [
			{ kind: 'quote', text: 'Try\n```html\n<b>\n  x\n```\nand see' },
			{
				kind: 'entries',
				items: [{ title: 'T', href: 'https://a.example/2', text: '```\ny\n```' }],
			},
			{ kind: 'button', label: 'Approve', href: 'https://a.example/approve' },
			{
				kind: 'links',
				items: [
					{ label: 'Hide', href: 'https://a.example/hide' },
					{ label: 'Block', href: 'https://a.example/block' },
				],
			},
		],
		why: 'You asked for it.',
	});
	expect(
		[...html.matchAll(/<pre class="code[^>]*>([^]*?)<\/pre>/g)].map(([, code]) => code),
	).toEqual(['&lt;b&gt;\n  x', 'y']);
	expect(html).not.toContain('```');
	expect(html.match(/class="button"/g)).toHaveLength(1);
	expect(html).toMatch(
		/class="button"[^]*>Approve<[^]*class="link"[^>]*>Hide<\/a> · <a[^>]*>Block</,
	);
});
