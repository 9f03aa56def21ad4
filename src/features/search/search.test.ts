import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	DEFAULT_ABBREVIATIONS,
	abbreviationsProblem,
	parseAbbreviations,
} from '#src/core/settings/abbreviations.ts';
import { parseQuestion } from './question.ts';
import { fold, namesIn } from '#src/lib/folding.ts';
import { bestPassage, createFinder, foundText, placeIn, splitMarks } from './search.ts';
import { beginningOf, rootOf, stemOf } from '#src/lib/stems.ts';
import { editDistance, likelyWords, maxTypos } from './typos.ts';

/** A text with its hits in brackets. */
const brackets = (text: string, marks: string[]) =>
	splitMarks(text, marks)
		.map((part) => (part.hit ? `[${part.text}]` : part.text))
		.join('');

test.each([
	['Attention, and attention again', ['attention'], '[Attention], and [attention] again'],
	['We train all models', ['train', 'models'], 'We [train] all [models]'],
	['inattention and detention', ['tention'], 'inattention and detention'],
	['attention', ['atten'], 'attention'],
	['attention', ['atten*'], '[attention]'],
	[
		'Retrieval-augmented generation',
		['retrieval augmented generation'],
		'[Retrieval-augmented generation]',
	],
	['fine tuning, fine-tuning', ['fine tuning', 'fine'], '[fine tuning], [fine-tuning]'],
	['sort((a, b) => a - b) in an A/B test', ['a b'], 'sort((a, b) => a - b) in an [A/B] test'],
	['Café naïve', ['cafe', 'naive'], '[Café] [naïve]'],
	['Cafe\u0301', ['cafe'], '[Cafe\u0301]'],
	['机器学习', ['机器*'], '[机器学习]'],
	['İstanbul models', ['models'], 'İstanbul [models]'],
	['GPT-4o and gpt 4', ['gpt', '4'], '[GPT]-4o and [gpt] [4]'],
	['𝒳 and 𝒳-ray', ['ray'], '𝒳 and 𝒳-[ray]'],
	['At\u00ADten\u00ADtion, straße', ['attention', 'strasse'], '[At\u00ADten\u00ADtion], [straße]'],
	['10,000 tokens', ['10 000'], '[10,000] tokens'],
	['With A* and an art', ['a*'], 'With [A*] and an art'],
	['nothing', [], 'nothing'],
	['nothing', ['', '*', '-'], 'nothing'],
	['', ['query'], ''],
])('what was found in %j for %j is marked', (text, marks, expected) => {
	expect(brackets(text, marks)).toBe(expected);
});

test('whatever the text and the marks, marking changes no letter, and every hit is a whole word', () => {
	const texts = fc.string({ unit: 'grapheme' });
	fc.assert(
		fc.property(texts, fc.array(texts, { maxLength: 5 }), (text, marks) => {
			expect(
				splitMarks(text, marks)
					.map((part) => part.text)
					.join(''),
			).toBe(text);
			for (const { start, end } of createFinder(marks)(text)) {
				expect(text.slice(start, end)).not.toBe('');
				expect(/^[\p{L}\p{N}]/u.test(text.slice(end))).toBe(false);
			}
		}),
	);
});

test('a long text has the hits that its beginning has alone', () => {
	const text = fc.array(
		fc.oneof(
			fc.constantFrom(
				'cafe\u0301',
				'c++',
				'.NET',
				'A*',
				'GPTは',
				'model에서',
				'x²',
				'-',
				' ',
				'\u200B',
			),
			fc.string({ unit: 'grapheme', maxLength: 4 }),
		),
	);
	const rest = `\n${'.'.repeat(2000)}`;
	fc.assert(
		fc.property(text, (parts) => {
			const text = parts.join('');
			const words = [...parts, ...namesIn(fold(text)), ...namesIn(text.slice(1))];
			const find = createFinder(words.flatMap((word) => [word, `${word}*`, `${word} c`]));
			expect(find(text + rest)).toEqual(find(text));
		}),
	);
});

const NONE = parseAbbreviations('');
const KNOWN = parseAbbreviations(DEFAULT_ABBREVIATIONS);
/** The parts of a question, each with its words. */
const wordsIn = (question: string, list = NONE) =>
	parseQuestion(question, list).map(({ words }) => words.join(' '));

test.each([
	['why does my validation accuracy drop?', ['validation', 'accuracy', 'drop']],
	["What's the best learning rate, and why isn't it higher", ['learning', 'rate', 'isn', 'higher']],
	['fine tuning vs rag', ['fine', 'tuning', 'rag']],
	['over-fitting of top-p', ['over fitting', 'top p']],
	['loss/accuracy curves', ['loss', 'accuracy', 'curves']],
	['state-of-the-art', ['state', 'art']],
	['attention attention Attention', ['attention']],
	['how to', ['how', 'to']],
	['NEAR(a b) AND {title}:x*', ['near', 'b', 'title', 'x*']],
	['"NEAR(a b)" AND {title}:x*', ['near a b', 'title', 'x*']],
	['“the best of it” models', ['the best of it', 'models']],
	['models of "all"', ['models']],
	['GPT 5 and gpt-5, but gpt5', ['gpt 5', 'gpt5']],
	['C++ or C# in .NET, not c', ['c++', 'c#', '.net', 'c']],
	['Node.js at 3.5', ['node js', '3 5']],
	['机器学习入门', ['机器', '学习', '入门']],
	['GPT学习', ['gpt', '学习']],
	['---', []],
])('of %j is looked for: %j', (question, words) => {
	expect(wordsIn(question)).toEqual(words);
});

test('however long a question is, eight of its parts are looked for', () => {
	const words = Array.from({ length: 1000 }, (_, at) => `word${at}`);
	expect(wordsIn(words.join(' '))).toEqual(words.slice(0, 8));
});

test('only the last word may be the beginning of another, and no abbreviation is', () => {
	const open = (question: string) => parseQuestion(question, KNOWN).map((part) => part.open);
	expect(open('gradient desc')).toEqual([false, true]);
	expect(open('fine tuning RAG')).toEqual([false, false, false]);
});

test.each(['RAG', 'rag', 'retrieval-augmented generation', 'Retrieval Augmented Generations'])(
	'%j is one thing, with its other names',
	(question) => {
		const [part, ...others] = parseQuestion(question, KNOWN);
		expect(others).toEqual([]);
		expect([part!.words.join(' '), ...part!.same]).toEqual(
			expect.arrayContaining([expect.stringMatching(/^retrieval augmented generations?$|^rag$/)]),
		);
	},
);

test('what is only near a name is looked for beside its words', () => {
	const list = parseAbbreviations('model stealing > extraction\nLLM = large language model');
	expect(parseQuestion('model stealing', list)).toMatchObject([
		{ words: ['model'], same: [], near: ['extraction'] },
		{ words: ['stealing'], same: [], near: ['extraction'] },
	]);
	expect(parseQuestion('large language models', list)).toMatchObject([{ same: ['llm'], near: [] }]);
});

test.each([
	['RAG', 'write one name, = or >'],
	['RAG = a = b', 'write one name, = or >'],
	['RAG, LLM = a', 'write one name only before = or >'],
	['RAG =', 'a name is missing'],
	['= retrieval', 'a name is missing'],
	['RAG = a,, b', 'a name is missing'],
	['RAG = ***', 'a name is missing'],
	['RAG = one two three four five six seven', 'has more than 6 words'],
])('the line %j is refused by its number', (line, problem) => {
	const said = abbreviationsProblem(`# note\n\n${line}`);
	expect(said).toMatch(/^Line 3: /);
	expect(said).toContain(problem);
});

test('a list that is too long is refused, and the one that a site begins with is not', () => {
	expect(abbreviationsProblem(DEFAULT_ABBREVIATIONS)).toBeUndefined();
	expect(abbreviationsProblem('')).toBeUndefined();
	expect(abbreviationsProblem('a = b\n'.repeat(501))).toBe('Use 500 lines or fewer');
	expect(abbreviationsProblem('#'.repeat(20_001))).toBe('Use 20,000 characters or fewer');
});

test.each([
	['models', 'model', 'modelled', 'modeling', 'modelling'],
	['normalise', 'normalize', 'normalised', 'normalizing'],
	['colour', 'colors', 'coloured'],
	['behaviours', 'behavior'],
	['centre', 'centers'],
	['analyse', 'analyze', 'analysing', 'analysis', 'analyses'],
	['training', 'train', 'trained', 'trains'],
	['losses', 'loss'],
	['biases', 'bias'],
	['theories', 'theory'],
	['running', 'runs', 'run'],
	['resize', 'resizing', 'resized'],
	['catalogue', 'catalog'],
	['licence', 'license'],
])('%j is a form of %j and others', (...words) => {
	expect(new Set(words.map(stemOf)).size, words.map(stemOf).join(' ')).toBe(1);
});

test.each([
	['quantization', 'quantize', 'quantizer'],
	['calibrated', 'calibration', 'calibrating'],
	['detector', 'detection', 'detect'],
	['reproducible', 'reproducibility', 'reproduce'],
])('%j and others are derived from one word', (...words) => {
	expect(new Set(words.map(rootOf)).size, words.map(rootOf).join(' ')).toBe(1);
});

test.each([
	['rate', 'ratio'],
	['loss', 'lose'],
	['cost', 'cosine'],
	['general', 'generate'],
	['bias', 'bi'],
])('%j is no form of %j', (one, other) => {
	expect(stemOf(one)).not.toBe(stemOf(other));
});

test('every form of a word begins with its beginning', () => {
	for (const words of [
		['normalise', 'normalization'],
		['colour', 'colors'],
		['centre', 'centering'],
		['theory', 'theories'],
	]) {
		for (const word of words)
			for (const other of words) expect(other.startsWith(beginningOf(word))).toBe(true);
	}
});

const filler = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');

test('a passage is where most of the words stand together', () => {
	const text = `A gradient. ${filler(80)} The gradient descends to a minimum. ${filler(80)}`;
	const { passage } = bestPassage([text], createFinder(['gradient', 'minimum']));
	expect(passage).toContain('gradient descends to a minimum.');
	expect(passage).toMatch(/^… \S.*\S …$/);
	expect(passage.length).toBeLessThanOrEqual(190);
});

test('the excerpt is the passage where it says as much as the text', () => {
	const passageOf = (...texts: string[]) => bestPassage(texts, createFinder(['gradient*'])).passage;
	expect(passageOf('On gradients.', `A gradient ${filler(50)}`)).toBe('On gradients.');
	expect(passageOf('Excerpt', 'A gradient')).toBe('A gradient');
	expect(passageOf('', 'Only a text')).toBe('Only a text');
	expect(passageOf('', '')).toBe('');
});

test.each([
	['Steps', '#:~:text=Steps'],
	['follow', '#steps:~:text=follow%20the%20slope%2C%20again'],
	['well-known', '#step-by-step:~:text=well%2Dknown%20%26%20slow'],
	['long', `#step-by-step:~:text=${'long%20'.repeat(12).slice(0, -3)}`],
])('%j leads to the heading above it and to its words', (word, place) => {
	const text = `Steps are many\nSteps\nfollow the slope, again\nStep by step\nwell-known & slow\n${'long '.repeat(40)}`;
	const headings = [
		{ slug: 'steps', text: 'Steps' },
		{ slug: 'step-by-step', text: 'Step  by step' },
	];
	expect(placeIn(text, text.indexOf(word), headings).slice(0, place.length)).toBe(place);
});

test('a text without spaces is cut all the same', () => {
	const { passage } = bestPassage(['学'.repeat(5000)], createFinder(['学*']));
	expect(passage.length).toBeLessThanOrEqual(190);
	expect(passage).toContain('学');
});

test('whatever the text, a passage is short and made of it', () => {
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom('a', 'model', 'x'.repeat(300), '\n', 'é', '学')),
			(parts) => {
				const text = parts.join(' ');
				const { passage } = bestPassage([text], createFinder(['model']));
				expect(passage.length).toBeLessThanOrEqual(190);
				expect(text).toContain(passage.replace(/^… | …$/g, ''));
			},
		),
	);
});

test.each([
	['model', 'model', 0],
	['modle', 'model', 1],
	['mdel', 'model', 1],
	['moddel', 'model', 1],
	['nodel', 'model', 1],
	['tranformr', 'transformer', 2],
	['', 'abc', 3],
	['ca', 'abc', 3],
])('%j is %j with %i letters wrong', (typed, meant, wrong) => {
	expect(editDistance(typed, meant)).toBe(wrong);
	expect(editDistance(meant, typed)).toBe(wrong);
});

test('the beginning of a word that is still being typed is compared with beginnings', () => {
	expect(editDistance('tranfo', 'transformers', true)).toBe(1);
	expect(editDistance('transfo', 'transformers', true)).toBe(0);
});

test.each([
	['abc', 0],
	['abcd', 1],
	['abcdefg', 1],
	['abcdefgh', 2],
])('of %j %i letters may be wrong', (word, allowed) => {
	expect(maxTypos(word)).toBe(allowed);
});

test('of words that look alike the nearest is meant first, and none that is too far', () => {
	expect(likelyWords('tranformer', ['transformers', 'transformer', 'performer'], false)).toEqual([
		'transformer',
		'transformers',
	]);
	expect(likelyWords('fode', ['mode', 'form', 'code', 'node', 'fade'], false)[0]).toBe('fade');
	expect(likelyWords('model', ['model'], false)).toEqual([]);
	expect(likelyWords('abc', ['abd'], false)).toEqual([]);
});

test.each([
	['İ Qwen ẞ', 'i qwen ss'],
	['Łódź Ørsted Straße ÆTHER đ ı œuvre', 'lodz orsted strasse aether d i oeuvre'],
	['ΟΔΟΣ', 'οδοσ'],
	['Ὀδός', 'οδοσ'],
])('%j is folded to %j', (text, folded) => {
	expect(fold(text)).toBe(folded);
});

test('no letter hides another, however it grows in lower case', () => {
	for (let code = 0x80; code < 0x1_0000; code++) {
		const letter = String.fromCharCode(code);
		if (!/\p{L}/u.test(letter)) continue;
		const text = `${letter} Qwen ${letter}`;
		const [hit] = createFinder(['qwen'])(text);
		expect(text.slice(hit?.start, hit?.end), letter).toBe('Qwen');
	}
});

test.each([
	['die Straße hier', 'strasse', '[Straße]'],
	['In Łódź', 'lodz', '[Łódź]'],
	['C++ and C# and C', 'c#', '[C#]'],
	['C, C++, g++', 'c++', '[C++]'],
	['net, .NET Core', '.net', '[.NET]'],
	['我们用梯度下降法', '梯度', '[梯度]'],
	['การเรียนรู้ของเครื่อง', 'เครื่อง', '[เครื่อง]'],
	['తెలుగు భాష', 'భాష', '[భాష]'],
])('in %j, %j is found as %s', (text, mark, expected) => {
	const marked = splitMarks(text, [mark]).flatMap(({ text, hit }) => (hit ? [`[${text}]`] : []));
	expect(marked).toEqual([expected]);
});

test('a name is not taken for the beginning of another that only begins alike', () => {
	expect(likelyWords('claude', ['claudia'], true)).toEqual([]);
	expect(likelyWords('clasif', ['classification'], true)).toEqual(['classification']);
});

test('a number that is written to an abbreviation is part of it', () => {
	const list = parseAbbreviations('GPT = generative pretrained transformer');
	const words = (question: string) =>
		parseQuestion(question, list).map((part) => part.words.join(' '));
	expect(words('GPT-5')).toEqual(['gpt 5']);
	expect(words('gpt 5')).toEqual(['gpt 5']);
	expect(words('gpt')).toEqual(['gpt']);
});

test('no correction adds, takes or changes a digit', () => {
	const words = ['h100', 'gptq', 'gpt4', 'int8', 'vgg16'];
	for (const typed of ['a100', 'gpt2', 'gpt5', 'int4', 'vgg19', 'gptt'])
		expect(
			likelyWords(typed, words, true).filter((word) => /\d/.test(word)),
			typed,
		).toEqual([]);
	expect(likelyWords('a100', words, false)).toEqual([]);
	expect(likelyWords('gptk', words, false)).toEqual(['gptq']);
});

test('a passage is of sentences where they have the words, and of a table or code where nothing else has', () => {
	const prose =
		'A careful sentence about retrieval that is long enough to be read as one, and it ends.';
	const text = `for retrieval, cost in table: print(retrieval)\nRetrieval\nCost\nGrows\n${prose}\nretrieval = cost`;
	expect(bestPassage([text], createFinder(['retrieval', 'cost'])).passage).toBe(`… ${prose} …`);
	expect(bestPassage([text], createFinder(['cost'])).passage).toContain('Cost');
});

test('how many there are is said only where all were ranked', () => {
	const results = [{ kind: 'article' as const, by: 'words' as const, marks: ['a'] }];
	expect(foundText('a', { results, total: 21 })).toBe('21 articles');
	expect(foundText('a', { results, total: 21, more: true })).toBe('The best 21 articles');
	const further = { kind: 'state' as const, by: 'words' as const, marks: [], less: true as const };
	expect(foundText('a', { results: [...results, further], total: 1 })).toBe(
		'1 article, 1 less close',
	);
});
