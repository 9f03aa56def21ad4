import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { slugify } from '#src/lib/slug.ts';
import {
	fiveWordRuns,
	internalLinks,
	lessonSnippets,
	likeness,
	parseArticle,
	problemsOf,
	readArticles,
	readSlugs,
	runJavaScript,
	runnable,
	runPython,
	sourceFaults,
	stretchesOf,
	strayNumbers,
	unmarked,
	unrunElsewhere,
	webLinks,
	type Article,
} from './article.ts';
import { changedContent } from './claims.ts';

/** Tags that one article alone may have: they name what is searched for. */
const RARE_TAGS: string[] = [];
/** Two articles with more in common were copied from each other. The most alike two of ours share 0.9%, a copy with every fourth sentence changed more than half. */
const MAX_LIKENESS = 0.05;

/** Pixels of the page at 1,440 that an article goes without a figure at most, and the paragraph that it may be amended by. */
const FIGURE_EVERY = 2500 + 250;

let articles: Article[];
let lessons: Article[];
beforeAll(async () => {
	[articles, lessons] = await Promise.all([readArticles(), readArticles('lessons/')]);
});

/** Every article that has a problem, with its problems. */
function faults(problems: (article: Article) => string[]): Record<string, string[]> {
	return Object.fromEntries(
		articles
			.map((article) => [article.slug, problems(article)] as const)
			.filter(([, found]) => found.length > 0),
	);
}

describe('the articles', () => {
	test('keep the house style: lengths, headings, code, a figure', () => {
		expect(faults(problemsOf)).toEqual({});
	});

	test('plot only numbers that they print or tell', () => {
		expect(faults(strayNumbers)).toEqual({});
		const { markdown } = articles.find(({ slug }) => slug === 'bm25-baseline')!;
		const changed = markdown.replace('"score": 0.721', '"score": 0.7219');
		expect(strayNumbers(parseArticle('changed', `---\n\n---\n${changed}`))).toEqual(['0.7219']);
	});

	test('come to a figure at least every 2,500 px', () => {
		const long = (article: Article) => stretchesOf(article).filter((px) => px > FIGURE_EVERY);
		expect(faults((article) => long(article).map(String))).toEqual({});
		const { markdown } = articles.find(({ slug }) => slug === 'bm25-baseline')!;
		const bare = markdown.replace(/^```vega-lite\n[^]*?^```$/gm, '');
		expect(long(parseArticle('bare', `---\n\n---\n${bare}`))).toHaveLength(1);
	});

	test('are at least sixty, four or more in each category', async () => {
		const { categories } = await readSlugs();
		expect(articles.length).toBeGreaterThanOrEqual(60);
		for (const category of categories) {
			const count = articles.filter((article) => article.category === category).length;
			expect(count, category).toBeGreaterThanOrEqual(4);
		}
		expect(faults(({ category }) => (categories.includes(category) ? [] : [category]))).toEqual({});
	});

	test('have tags that say what they are about', async () => {
		const about = parseYaml(await readFile('content/tags.yaml', 'utf8')) as Record<string, string>;
		const used = new Set(articles.flatMap(({ tags }) => tags.map(slugify)));
		expect([...used].toSorted()).toEqual(Object.keys(about).toSorted());
		expect(Object.values(about).filter((text) => text.length > 160)).toEqual([]);
	});

	test('link to pages that exist, and each to another article', async () => {
		const { categories, states } = await readSlugs();
		const pages = new Set([
			...articles.map(({ slug }) => `/blog/${slug}`),
			...categories.map((slug) => `/category/${slug}`),
			...states.map((slug) => `/ai-best-practices/${slug}`),
			'/ai-best-practices',
			'/ai-best-practices/compare',
		]);
		const dead = faults((article) => internalLinks(article).filter((link) => !pages.has(link)));
		expect(dead).toEqual({});
		const lonely = faults((article) => {
			const links = internalLinks(article).filter((link) => link.startsWith('/blog/'));
			return links.some((link) => link !== `/blog/${article.slug}`) ? [] : ['links to no other'];
		});
		expect(lonely).toEqual({});
	});

	test('name their sources with year and address, each at least three', () => {
		expect(faults(sourceFaults)).toEqual({});
		const { markdown } = articles.find(({ slug }) => slug === 'bootstrap-confidence-intervals')!;
		const changed = markdown.replace(', 1979. [doi:10.1214/aos/1176344552](https://doi.org/10.1214/aos/1176344552)', '');
		expect(sourceFaults(parseArticle('changed', `---\n\n---\n${changed}`))).toHaveLength(1);
	});

	test('link to at least 400 sources', () => {
		const links = articles.flatMap((article) => [...webLinks(article)]);
		expect(links.length).toBeGreaterThanOrEqual(400);
		expect(new Set(links).size).toBeGreaterThanOrEqual(370);
	});

	test('have three to eight phrases that readers may type instead, none twice', () => {
		const phrasesOf = ({ searchedAs = '' }: Article) => searchedAs.split(', ').filter(Boolean);
		const wrong = faults((article) => {
			const phrases = phrasesOf(article);
			const isOnce = new Set(phrases.map((one) => one.toLowerCase())).size === phrases.length;
			return isOnce && phrases.length >= 3 && phrases.length <= 8 ? [] : phrases;
		});
		expect(wrong).toEqual({});
	});

	test('name up to three related articles, which exist', () => {
		const slugs = new Set(articles.map(({ slug }) => slug));
		const wrong = faults(({ slug, related = '' }) => {
			const chosen = related.split(', ').filter(Boolean);
			const others = chosen.filter((one) => !slugs.has(one) || one === slug);
			return chosen.length > 3 ? chosen : others;
		});
		expect(wrong).toEqual({});
	});

	test('share each tag with another article', () => {
		const uses = new Map<string, number>();
		for (const tag of articles.flatMap(({ tags }) => tags))
			uses.set(tag, (uses.get(tag) ?? 0) + 1);
		const once = [...uses].filter(([tag, count]) => count === 1 && !RARE_TAGS.includes(tag));
		expect(once.map(([tag]) => tag)).toEqual([]);
		const spellings = new Set([...uses.keys()].map((tag) => tag.toLowerCase()));
		expect(spellings.size).toBe(uses.size);
	});

	test('say different things', () => {
		const texts = [...articles, ...lessons];
		const runs = texts.map(fiveWordRuns);
		const alike = texts.flatMap((a, i) =>
			texts.slice(i + 1).map((b, j) => ({
				pair: `${a.slug} and ${b.slug}`,
				share: likeness(runs[i]!, runs[i + 1 + j]!),
			})),
		);
		expect(alike.filter(({ share }) => share > MAX_LIKENESS)).toEqual([]);
		for (const field of ['title', 'excerpt', 'metaDescription'] as const)
			expect(new Set(articles.map((article) => article[field])).size).toBe(articles.length);
	});

	test('print what they say: JavaScript', { timeout: 60_000 }, async () => {
		expect(articles.filter((a) => runnable(a, ['js', 'javascript']).length > 0)).not.toEqual([]);
		for (const article of articles) {
			const snippets = runnable(article, ['js', 'javascript']);
			const stated = snippets.map((snippet) => snippet.stated);
			expect(await runJavaScript(snippets), article.slug).toEqual(stated);
		}
	});

	test('print what they say: Python', { timeout: 300_000 }, async () => {
		// Each night of all.
		const changed = process.env['TESTS'] === 'daily' ? changedContent() : null;
		const due = articles.filter(
			({ slug }) => changed?.includes(`content/posts/${slug}.md`) ?? true,
		);
		for (const article of due) {
			const snippets = runnable(article, ['python']);
			if (snippets.length === 0) continue;
			const stated = snippets.map((snippet) => snippet.stated);
			expect(await runPython(snippets), article.slug).toEqual(stated);
		}
	});

	test('say of each block that could be run whether it is, or why not', () => {
		expect(faults(unmarked)).toEqual({});
		const fence = (info: string) => parseArticle('x', `---\n\n---\n\`\`\`${info}\n1\n\`\`\``);
		expect(unmarked(fence('js'))).toEqual(['1']);
		expect(unmarked(fence('python norun'))).toEqual(['1']);
		expect(unmarked(fence('python norun: takes a minute'))).toEqual([]);
	});

	test('and no other text has a block that could be run and is not', async () => {
		expect(await unrunElsewhere()).toEqual([]);
	});

	test('add up to', () => {
		const table = Object.entries(Object.groupBy(articles, ({ category }) => category)).map(
			([category, group = []]) => {
				const sum = (count: (article: Article) => number) =>
					group.reduce((total, article) => total + count(article), 0);
				return [
					category.padEnd(28),
					`${group.length} articles`,
					`${sum(({ words }) => words.length)} words`,
					`${sum(({ figures }) => figures)} figures`,
					`${sum(({ tables }) => tables)} tables`,
					`${sum(({ codeBlocks }) => codeBlocks.length)} code blocks`,
				].join('  ');
			},
		);
		process.stdout.write(`${table.join('\n')}\n`);
		expect(table.length).toBe(9);
	});
});

test('the lessons print what they say', { timeout: 60_000 }, async () => {
	for (const lesson of lessons) {
		const snippets = lessonSnippets(lesson);
		expect(snippets, lesson.slug).not.toEqual([]);
		expect(snippets.every(({ stated }) => stated !== '')).toBe(true);
		const stated = snippets.map((snippet) => snippet.stated);
		expect(await runPython(snippets), lesson.slug).toEqual(stated);
	}
});

describe('the lint', () => {
	const article = (body: string, meta = '') =>
		parseArticle(
			'x',
			`---\ntitle: A title of a kind\nexcerpt: ${'e'.repeat(80)}\nmetaDescription: ${'m'.repeat(90)}\ntags: [a, b, c, d]\nquestions: |\n  A? One.\n  B? Two.\n  C? Three.\n${meta}\n---\n${body}`,
		);
	const good = `${'word '.repeat(600)}\n\n\`\`\`vega-lite\n{}\n\`\`\`\n\n\`\`\`js run\nconsole.log(1);\n\`\`\`\n\n\`\`\`output\n1\n\`\`\`\n\n## Where this fails\n`;

	test('passes an article that has everything', () => {
		expect(problemsOf(article(good))).toEqual([]);
	});

	test.each([
		['number of words', good.replace('word '.repeat(9), '')],
		['number of words', good + 'word '.repeat(3500)],
		['no code', good.replaceAll(/```[^]*?```/g, '') + '\n![A graph](/a.png)'],
		['no figure', good.replace(/```vega[^]*?```/, '')],
		['a first-level heading', `# Title\n\n${good}`],
		['a heading skips a level', `## One\n\n#### Two\n\n${good}`],
		['no alternative text', `![](/a.png)\n\n${good}`],
		['HTML, which is dropped', `<div>x</div>\n\n${good}`],
		['code without a language', `${good}\n\n\`\`\`\nx\n\`\`\``],
		['no staleAfter, though it says “as of 2026”', `${good}\n\nSo it is as of 2026.`],
	])('finds: %s', (problem, body) => {
		const found = problemsOf(article(body));
		expect(found.map((one) => one.slice(0, problem.length))).toEqual([problem]);
	});

	test.each([
		['title length is 71', `title: ${'t'.repeat(71)}`],
		['excerpt length is 79', `excerpt: ${'e'.repeat(79)}`],
		['excerpt length is 221', `excerpt: ${'e'.repeat(221)}`],
		['meta description length is 161', `metaDescription: ${'m'.repeat(161)}`],
		['number of tags is 3', 'tags: [a, b, c]'],
		['number of questions is 1', 'questions: A? One.'],
	])('finds: %s', (problem, line) => {
		const name = line.split(':')[0]!;
		const whole = { ...article(good), ...Object.fromEntries([[name, article('', '')]]) };
		const [key, value] = line.split(/: (.*)/) as [string, string];
		const found = problemsOf({
			...whole,
			[key]: key === 'tags' ? value.slice(1, -1).split(', ') : value,
		});
		expect(found.map((one) => one.slice(0, problem.length))).toEqual([problem]);
	});

	test('finds a copy in which every fourth sentence was changed', () => {
		const [original] = articles;
		const copied = original!.words.map((word, index) => (index % 40 < 10 ? `x${word}` : word));
		const share = likeness(fiveWordRuns(original!), fiveWordRuns({ words: copied }));
		expect(share).toBeGreaterThan(10 * MAX_LIKENESS);
	});

	test('runs the snippets of an article as one program, and keeps apart what each prints', async () => {
		const snippets = [
			{ source: "import { inspect } from 'node:util';\nconst a = 1;", stated: '' },
			{ source: 'console.log(inspect({ a }), a + 1);\nconsole.log("x");', stated: '' },
		];
		expect(await runJavaScript(snippets)).toEqual(['', '{ a: 1 } 2\nx']);
		expect(runnable(article(good), ['js'])).toEqual([
			{ source: 'console.log(1);', stated: '1' },
		]);
	});
});
