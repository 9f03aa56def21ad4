import { markdownVersion } from '#src/features/metadata/markdown-version.ts';
import { paths } from '#src/site.ts';
import { seriesOf } from './figures.ts';
import {
	allFigures,
	asOfText,
	computedFigures,
	figureText,
	stateQuestions,
	type State,
} from './state.ts';

/** Returns the lists of a state's guide that have items. */
export function stateLists(state: State): [title: string, items: string[]][] {
	const lists: [title: string, items: string[]][] = [
		['AI companies', state.aiCompanies],
		['Universities', state.universities],
		['Tech hubs', state.techHubs],
		['Major cities', state.majorCities],
		['AI initiatives', state.aiInitiatives],
		['Government support', state.governmentSupport],
		['Key industries', state.keyIndustries],
		['Research centers', state.researchCenters],
	];
	return lists.filter(([, items]) => items.length > 0);
}

/** Returns a state's guide as Markdown. `siteUrl` has no trailing slash. */
export function stateMarkdown(state: State, siteUrl: string): string {
	const figures = [...computedFigures(state), ...state.figures].map(
		({ label, value, unit, source, link, asOf }) =>
			`| ${label} | ${figureText(value, unit)} | ${cell(source, link)}, ${asOfText(asOf)} |`,
	);
	const series = seriesOf(allFigures(state)).map(
		({ title, unit, years }) =>
			`- ${title}: ${years.map(({ year, value }) => `${figureText(value, unit)} (${year})`).join(', ')}`,
	);
	const sections = [
		state.description,
		...stateLists(state).map(([title, items]) =>
			section(title, items.map((item) => `- ${item}`).join('\n')),
		),
		section('Startup ecosystem', state.startupEcosystem),
		section('Figures', `| Figure | Value | Source |\n| --- | --- | --- |\n${figures.join('\n')}`),
		...(series.length > 0 ? [section('Over the years', series.join('\n'))] : []),
		...stateQuestions(state).map(({ question, answer }) => section(question, answer)),
	];
	const facts = {
		url: siteUrl + paths.state(state.slug),
		description: state.metaDescription,
		capital: state.capital,
		updated: state.updatedAt,
	};
	return markdownVersion(`AI in ${state.name}`, facts, sections.join('\n\n'));
}

/** Returns a source as a table's cell, with a link where it has one. */
function cell(source: string, link: string | undefined): string {
	const text = source.replaceAll(/[|[\]\\]/g, '\\$&');
	return link ? `[${text}](<${new URL(link).href.replaceAll('|', '%7C')}>)` : text;
}

const section = (title: string, text: string) => `## ${title}\n\n${text}`;
