import { readdir, readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { eq, sql, type SQL } from 'drizzle-orm';
import { parse as parseYaml } from 'yaml';
import type { Db } from './client.ts';
import {
	categories,
	meta,
	posts,
	postTags,
	states,
	tags,
	termRedirects,
	type Figure,
	type StateAnswers,
} from './schema.ts';

const content = new URL('../content/', import.meta.url);

/** Product code that seeding needs: converting Markdown to an article's HTML, and a few small rules. */
export type SeedTools = {
	toArticle(markdown: string): Promise<string>;
	slugify(text: string): string;
	readTime(text: string): number;
	aiWork(occupations: (Occupation | null)[]): {
		aiJobs: number | null;
		averageSalary: number | null;
	};
	author: string;
	/** The category of posts that have none of their own. */
	uncategorized: { name: string; slug: string };
};

/**
 * Inserts the files of content/. Each file is seeded once: existing rows are never overwritten, and what an
 * editor deleted does not come back. Returns how many rows were added.
 */
export async function seed(db: Db, tools: SeedTools): Promise<number> {
	const seen = new Set(await seededKeys(db));
	const once = async (key: string, add: () => Promise<void>) => {
		if (seen.has(key)) return 0;
		await add();
		await db
			.insert(meta)
			.values({ key: `seed:${key}`, value: new Date().toISOString() })
			.onConflictDoNothing();
		return 1;
	};
	let added = 0;
	for (const [position, category] of (
		await readYaml<SeedCategory[]>('categories.yaml')
	).entries()) {
		added += await once(`category/${category.slug}`, async () => {
			await db
				.insert(categories)
				.values({ ...category, position })
				.onConflictDoNothing();
		});
	}
	for (const file of await filesOf('posts', '.md')) {
		added += await once(`post/${file.slug}`, async () =>
			seedPost(db, file.slug, await read(file.path), tools),
		);
	}
	for (const file of await filesOf('states', '.yaml')) {
		added += await once(`state/${file.slug}`, async () =>
			seedState(db, file.slug, await readYaml<SeedState>(file.path), tools),
		);
	}
	return added;
}

/** Returns a digest of every seeded file, so that a start can tell whether there is anything to seed. */
export async function contentDigest(): Promise<string> {
	const hash = createHash('sha256');
	const files = [...(await filesOf('posts', '.md')), ...(await filesOf('states', '.yaml'))];
	for (const { path } of [{ path: 'categories.yaml' }, ...files])
		hash.update(path).update(await read(path));
	return hash.digest('hex');
}

async function seededKeys(db: Db): Promise<string[]> {
	const rows = await db
		.select({ key: meta.key })
		.from(meta)
		.where(sql`${meta.key} like 'seed:%'`);
	return rows.map(({ key }) => key.slice('seed:'.length));
}

type SeedCategory = { slug: string; name: string; description: string; color: string };
type SeedPost = {
	title: string;
	excerpt: string;
	category: string;
	tags: string[];
	featured: boolean;
	publishedAt: string;
	metaDescription: string;
};

async function seedPost(db: Db, slug: string, file: string, tools: SeedTools): Promise<void> {
	const [, frontMatter = '', markdown = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(file) ?? [];
	const post = parseYaml(frontMatter) as SeedPost;
	const category = await findCategory(db, slug, post.category, tools);
	const id = crypto.randomUUID();
	// Noon in UTC, so that the day is the same in every American time zone.
	const publishedAt = new Date(`${post.publishedAt}T12:00:00Z`);
	const named = post.tags.map((name) => ({ name, slug: tools.slugify(name) }));
	await db.batch([
		db
			.insert(posts)
			.values({
				id,
				slug,
				title: post.title,
				excerpt: post.excerpt,
				content: await tools.toArticle(markdown),
				metaDescription: post.metaDescription,
				author: tools.author,
				categoryId: category.id,
				published: true,
				featured: post.featured,
				readTime: tools.readTime(markdown),
				publishedAt,
				createdAt: publishedAt,
				updatedAt: publishedAt,
			})
			.onConflictDoNothing(),
		...named.map((tag) =>
			db
				.insert(tags)
				.select(
					sql`select ${crypto.randomUUID()}, ${tag.name}, ${tag.slug}, null, 1, ${publishedAt.getTime()}
						where not exists (select 1 from ${termRedirects} where kind = 'tag' and slug = ${tag.slug})`,
				)
				.onConflictDoNothing(),
		),
		...named.map((tag, position) =>
			db
				.insert(postTags)
				.select(
					sql`select ${crypto.randomUUID()}, ${posts.id}, ${tags.id}, ${position}
						from ${posts}, ${tags} where ${posts.id} = ${id} and ${tags.id} = ${termOf('tag', tag.slug)}`,
				)
				.onConflictDoNothing(),
		),
	]);
}

/** SQL for the id of the category or tag that has this slug, or had it and has been renamed or merged since. */
function termOf(kind: 'category' | 'tag', slug: string): SQL {
	const table = kind === 'category' ? categories : tags;
	return sql`coalesce((select id from ${table} where slug = ${slug}), (select ${termRedirects.termId} from ${termRedirects}
		where ${termRedirects.kind} = ${kind} and ${termRedirects.slug} = ${slug}))`;
}

/** Returns the category that a file names; of one that was deleted since it was seeded, the one of uncategorized posts. */
async function findCategory(
	db: Db,
	slug: string,
	wanted: string,
	{ uncategorized }: SeedTools,
): Promise<{ id: string }> {
	const find = async (of: string) =>
		(
			await db
				.select({ id: categories.id })
				.from(categories)
				.where(sql`${categories.id} = ${termOf('category', of)}`)
		)[0];
	const found = await find(wanted);
	if (found) return found;
	if (!(await seededKeys(db)).includes(`category/${wanted}`))
		throw new Error(`content/posts/${slug}.md names an unknown category: ${wanted}`);
	await db.insert(categories).values(uncategorized).onConflictDoNothing();
	return (await find(uncategorized.slug))!;
}

type Occupation = {
	employment: number | null;
	annualMeanWage: number | null;
	annualMedianWage: number | null;
	jobsPer1000: number | null;
	locationQuotient: number | null;
};
type Counted = { value: number; source: string; asOf: string };
type SeedState = {
	name: string;
	abbreviation: string;
	capital: string;
	majorCities: string[];
	population: { census2020: Counted; estimate2025: Counted };
	occupations: {
		source: string;
		asOf: string;
		allOccupations: Occupation | null;
		dataScientists: Occupation | null;
		computerAndInformationResearchScientists: Occupation | null;
		softwareDevelopers: Occupation | null;
	};
	description: string;
	metaTitle: string;
	metaDescription: string;
	aiCompanies: string[];
	universities: string[];
	techHubs: string[];
	keyIndustries: string[];
	aiInitiatives: string[];
	researchCenters: string[];
	startupEcosystem: string;
	governmentSupport: string[];
	answers: StateAnswers;
	keywords: string[];
};

/** Addresses below /ai-best-practices that are pages of their own. */
const RESERVED = new Set(['compare']);

/** Throws unless the slug can be the address of a state's page. */
export function assertStateSlug(slug: string): void {
	if (!RESERVED.has(slug) && /^[a-z]+(-[a-z]+)*$/.test(slug)) return;
	throw new Error(`content/states/${slug}.yaml cannot be a state: its address is not free.`);
}

async function seedState(db: Db, slug: string, file: SeedState, tools: SeedTools): Promise<void> {
	assertStateSlug(slug);
	const { population, occupations, ...state } = file;
	const { dataScientists, computerAndInformationResearchScientists } = occupations;
	await db
		.insert(states)
		.values({
			...state,
			slug,
			population: population.census2020.value,
			...tools.aiWork([dataScientists, computerAndInformationResearchScientists]),
			figures: figuresOf(population, occupations),
		})
		// A site that was seeded before there were answers gets them.
		.onConflictDoUpdate({
			target: states.slug,
			set: { answers: file.answers },
			setWhere: eq(states.answers, {}),
		});
}

const OCCUPATIONS = {
	dataScientists: 'Data Scientists (15-2051)',
	computerAndInformationResearchScientists:
		'Computer and Information Research Scientists (15-1221)',
	softwareDevelopers: 'Software Developers (15-1252)',
	allOccupations: 'All occupations',
} as const;
const MEASURES = {
	employment: ['employment', 'jobs'],
	annualMeanWage: ['annual mean wage', 'US dollars a year'],
	annualMedianWage: ['annual median wage', 'US dollars a year'],
	jobsPer1000: ['jobs per 1,000', 'per 1,000 jobs'],
	locationQuotient: ['location quotient', 'quotient'],
} as const;

/** Returns every published number of a state with its source and date. */
function figuresOf(
	population: SeedState['population'],
	occupations: SeedState['occupations'],
): Figure[] {
	const { source, asOf } = occupations;
	const people = { unit: 'people' as const };
	const figures: Figure[] = [
		{ key: 'population', label: 'Population, 2020 Census', ...population.census2020, ...people },
		{
			key: 'populationEstimate',
			label: 'Population, 2025 estimate',
			...population.estimate2025,
			...people,
		},
	];
	for (const [occupation, name] of Object.entries(OCCUPATIONS)) {
		const published = occupations[occupation as keyof typeof OCCUPATIONS];
		for (const [measure, [label, unit]] of Object.entries(MEASURES)) {
			// Both are the same for every state: 1,000 per 1,000, and 1.
			if (occupation === 'allOccupations' && /jobsPer1000|locationQuotient/.test(measure)) continue;
			const value = published?.[measure as keyof Occupation] ?? null;
			figures.push({
				key: `${occupation}.${measure}`,
				label: `${name}: ${label}`,
				value,
				unit,
				source,
				asOf,
			});
		}
	}
	return figures;
}

async function filesOf(folder: string, ending: string): Promise<{ slug: string; path: string }[]> {
	const names = (await readdir(new URL(`${folder}/`, content))).filter((name) =>
		name.endsWith(ending),
	);
	return names
		.sort()
		.map((name) => ({ slug: name.slice(0, -ending.length), path: `${folder}/${name}` }));
}

const read = (path: string) => readFile(new URL(path, content), 'utf8');

async function readYaml<T>(path: string): Promise<T> {
	return parseYaml(await read(path)) as T;
}
