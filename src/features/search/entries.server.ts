import { eq } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { searchEntries } from '#db/schema.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { LESSONS } from '#src/features/course/course.ts';
import { readLessonSummaries } from '#src/features/course/lessons.server.ts';
import { DOWNLOADS, summaryOf, UPGRADES, type Upgrade } from '#src/features/downloads/download.ts';
import type { Issue } from '#src/features/newsletter/issue.ts';
import { pathOf, type Page } from '#src/features/pages/page.ts';
import { renderPage } from '#src/features/pages/pages.server.ts';
import type { Site } from '#src/features/site/site.ts';
import { figureText, stateQuestions, type State } from '#src/features/states/state.ts';
import { stateLists } from '#src/features/states/state-markdown.ts';
import { longDate } from '#src/lib/dates.ts';
import { digest } from '#src/lib/digest.ts';
import { indexedBesides } from '#src/lib/folding.ts';
import { slugify } from '#src/lib/slug.ts';
import { plural } from '#src/lib/text.ts';
import { getEnv } from '#src/lib/env.ts';
import { paths, site as siteFacts } from '#src/site.ts';
import type { Kind } from './search.ts';

type Section = { slug?: string; title?: string; text: string };
type Entry = {
	kind: Exclude<Kind, 'article'>;
	url: string;
	title: string;
	excerpt?: string | null;
	tags?: string[];
	sections?: Section[];
	/** Headings whose lines the sections' texts have already. */
	headings?: { slug: string; text: string }[];
};

/**
 * Makes everything that is public besides articles searchable, as this build shows it. Rows that stay the same are left
 * alone. With `code`, a digest of the sources, nothing is even rendered where neither it nor anything that is read changed.
 */
export async function indexEntries(
	db: Db,
	{ site, issues }: { site: Site; issues: readonly Issue[] },
	code?: string,
): Promise<void> {
	const light = [
		...site.shownStates.map(stateEntry),
		...termEntries(site),
		...issues.map(issueEntry),
		...(siteFacts.offers('course') ? await lessonEntries() : []),
		...(siteFacts.offers('downloads') ? UPGRADES.map(downloadEntry) : []),
	];
	// Pages may name the address of the site.
	const read =
		code && digest(code, JSON.stringify([light, site.pages, siteFacts, getEnv().SITE_URL]));
	if (read && (await getMeta(db, 'entries_digest')) === read) return;
	const entries = [...(await Promise.all(site.pages.map(pageEntry))), ...light];
	const rows = new Map(entries.map(toRow).map((row) => [row.digest, row]));
	const known = await db.select({ digest: searchEntries.digest }).from(searchEntries);
	const old = known.map((row) => row.digest).filter((one) => !rows.has(one));
	for (const { digest: same } of known) rows.delete(same);
	const statements: Statement[] = [
		...old.map((one) => db.delete(searchEntries).where(eq(searchEntries.digest, one))),
		// Another build may have added it meanwhile.
		...[...rows.values()].map((row) => db.insert(searchEntries).values(row).onConflictDoNothing()),
	];
	if (read) statements.push(setMeta(db, 'entries_digest', read));
	const [first, ...rest] = statements;
	if (first) await db.batch([first, ...rest]);
}

function toRow({ kind, url, title, excerpt, tags = [], sections = [], headings = [] }: Entry) {
	const row = {
		kind,
		url,
		title,
		excerpt: excerpt ?? '',
		tags: tags.join(', '),
		headings: [
			...headings.map(({ slug, text }) => ({ slug, text })),
			...sections.flatMap(({ slug, title: text }) => (slug && text ? [{ slug, text }] : [])),
		],
		body: sections
			.flatMap(({ title: heading, text }) => [heading, text])
			.filter(Boolean)
			.join('\n'),
	};
	const besides = indexedBesides(`${title} ${row.excerpt} ${row.tags} ${row.body}`);
	if (besides) row.tags += `\n${besides}`;
	return { ...row, digest: digest(JSON.stringify(row)) };
}

function stateEntry(state: State): Entry {
	const figures = state.figures.map(
		({ label, value, unit }) => `${label}: ${figureText(value, unit)}`,
	);
	const facts = [
		`Population: ${figureText(state.population)}`,
		`Capital: ${state.capital}`,
		`AI jobs: ${figureText(state.aiJobs)}`,
		`Average AI salary: ${figureText(state.averageSalary, 'US dollars a year')}`,
	];
	return {
		kind: 'state',
		url: paths.state(state.slug),
		title: `AI in ${state.name}`,
		excerpt: state.description,
		tags: [state.abbreviation, ...state.keywords],
		sections: [
			{ slug: 'key-figures', title: 'Key figures', text: facts.join('\n') },
			...stateLists(state).map(([title, items]) => ({
				slug: slugify(title),
				title,
				text: items.join('\n'),
			})),
			{ slug: 'startup-ecosystem', title: 'Startup ecosystem', text: state.startupEcosystem },
			{ slug: 'figures', title: 'The figures and their sources', text: figures.join('\n') },
			{
				slug: 'questions',
				title: `Questions about AI in ${state.name}`,
				text: questionLines(stateQuestions(state)),
			},
		],
	};
}

async function pageEntry({ slug, title, description, content, questions }: Page): Promise<Entry> {
	const { text, headings } = await renderPage(content);
	return {
		kind: 'page',
		url: pathOf(slug),
		title: slug === 'home' ? siteFacts.name : title,
		excerpt: description,
		sections: [{ text }, { text: questionLines(questions) }],
		headings,
	};
}

const questionLines = (questions: readonly { question: string; answer: string }[]) =>
	questions.map(({ question, answer }) => `${question}\n${answer}`).join('\n');

function termEntries({
	authors,
	categories,
	tags,
	series,
	byAuthor,
	byCategory,
	byTag,
}: Site): Entry[] {
	const countIn = (lists: Site['byTag'], slug: string) =>
		plural(lists.get(slug)?.length ?? 0, 'article');
	return [
		...categories.map(({ name, slug, description }) => ({
			kind: 'category' as const,
			url: paths.category(slug),
			title: name,
			excerpt: description || countIn(byCategory, slug),
		})),
		...tags.map(({ name, slug, description }) => ({
			kind: 'tag' as const,
			url: paths.tag(slug),
			title: name,
			excerpt: description || countIn(byTag, slug),
		})),
		...authors.map(({ name, slug, description }) => ({
			kind: 'author' as const,
			url: paths.author(slug),
			title: name,
			excerpt: description || countIn(byAuthor, slug),
		})),
		...series.map(({ name, slug, description, articles }) => ({
			kind: 'series' as const,
			url: paths.series(slug),
			title: name,
			excerpt: description,
			sections: articles.map(({ post }) => ({ text: post.title })),
		})),
	];
}

function issueEntry({ date, subject, posts }: Issue): Entry {
	return {
		kind: 'issue',
		url: paths.issue(date),
		title: `${siteFacts.newsletter}, ${longDate(date)}`,
		excerpt: subject,
		sections: posts.map(({ title, excerpt }, index) => ({
			slug: `article-${index + 1}`,
			title,
			text: excerpt ?? '',
		})),
	};
}

/** Lessons come by email: what is found leads to the course. */
async function lessonEntries(): Promise<Entry[]> {
	return (await readLessonSummaries()).map(({ title, summary }, index) => ({
		kind: 'lesson',
		url: '/newsletter#course',
		title,
		excerpt: `Day ${index + 1} of ${LESSONS.length} of the email course. ${summary}`,
		tags: [`Lesson ${index + 1}`],
	}));
}

/** Downloads come by email as well: what is found leads to their form. */
function downloadEntry(kind: Upgrade): Entry {
	return {
		kind: 'download',
		url: '/newsletter#downloads',
		title: DOWNLOADS[kind].title,
		excerpt: summaryOf(kind),
		sections: [{ text: 'Free download by email' }],
	};
}
