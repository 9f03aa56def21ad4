import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';

type Section = { heading: string; slugs: string[]; text: string };

/** The sections of the cheat sheet, each with the articles that it names. */
async function readSections(): Promise<Section[]> {
	const sheet = await readFile('content/guides/cheatsheet.md', 'utf8');
	return sheet
		.split(/^## /m)
		.slice(1)
		.map((section) => {
			const [, heading = '', names = '', text = ''] =
				/^(.*)\n\n_([^_]*)_\n([^]*)$/.exec(section) ?? [];
			return { heading, slugs: names.split(', '), text };
		});
}

/** Numbers of a text as they stand for a value: without those of formulas, commas and true minus signs. */
function numbersOf(text: string): number[] {
	const plain = text.replace(/\$\$[^]*?\$\$|\$[^$\n]*\$/g, ' ').replaceAll('−', '-');
	return [...plain.matchAll(/(?<![\w.])\d[\d,]*(?:\.\d+)?/g)].map(([number]) =>
		Number(number.replaceAll(',', '')),
	);
}

/** Numbers of a section that none of its articles has. */
function strangers({ text }: Pick<Section, 'text'>, articles: string[]): number[] {
	const known = new Set(
		articles.flatMap((article) =>
			[...article.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([number]) =>
				Number(number.replaceAll(',', '').replace(/\.$/, '')),
			),
		),
	);
	// A share may be told in percent.
	return numbersOf(text).filter((number) => !known.has(number) && !known.has(number / 100));
}

test('each number of the cheat sheet stands in an article that its section names', async () => {
	const names = await readdir('content/posts');
	const articles = new Map(
		await Promise.all(
			names.map(
				async (name): Promise<[slug: string, text: string]> => [
					name.replace('.md', ''),
					await readFile(`content/posts/${name}`, 'utf8'),
				],
			),
		),
	);
	const sections = await readSections();
	expect(sections.length).toBeGreaterThan(25);
	const found: Record<string, number[]> = {};
	for (const section of sections) {
		expect(section.slugs.filter((slug) => !articles.has(slug)), section.heading).toEqual([]);
		const strange = strangers(section, section.slugs.map((slug) => articles.get(slug)!));
		if (strange.length > 0) found[section.heading] = strange;
	}
	expect(found).toEqual({});
});

test('a changed number is found, and a formula is none', () => {
	const articles = ['It is 6,265 or 0.0146.'];
	expect(strangers({ text: '| 6,265 | 0.0146 |\n$$\n1.96 + 0.84\n$$' }, articles)).toEqual([]);
	expect(strangers({ text: '| 6,266 | 0.0147 |' }, articles)).toEqual([6266, 0.0147]);
});

/** Articles in no series, each with the reason. */
const ALONE: Record<string, string> = {};

test('each article is in one series, or stands alone for a reason', async () => {
	const series = parseYaml(await readFile('content/series.yaml', 'utf8')) as {
		slug: string;
		articles: string[];
	}[];
	const placed = [...series.flatMap(({ articles }) => articles), ...Object.keys(ALONE)];
	const names = (await readdir('content/posts')).map((name) => name.replace('.md', ''));
	expect(placed.sort()).toEqual(names.sort());
});
