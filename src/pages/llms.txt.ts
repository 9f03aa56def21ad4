import type { APIRoute } from 'astro';
import { markdownLink, escapeInline } from '#src/features/metadata/markdown-version.ts';
import { getSite } from '#src/features/site/site-data.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { paths, site } from '#src/site.ts';

/** Maximum number of articles listed; feeds, sitemap and API have the others. */
const NAMED = 200;

/** The site's content for language models (llmstxt.org). */
export const GET: APIRoute = async () => {
	const { articles, categories, states } = await getSite();
	const hasStates = states.length > 0;
	const at = (path: string) => new URL(path, getEnv().SITE_URL).href;
	const item = (label: string, path: string, about?: string | null) =>
		`- ${markdownLink(label, at(path))}${about ? `: ${escapeInline(about)}` : ''}`;
	const named = Map.groupBy(articles.slice(0, NAMED), ({ category }) => category.id);
	const parts = [
		`# ${site.name}`,
		`> ${site.description}`,
		`Every article${hasStates ? ' and every state guide' : ''} is also there as Markdown: its address with “.md” at the end, or its address with “Accept: text/markdown”.`,
		...categories
			.filter(({ id }) => named.has(id))
			.map(
				({ id, name }) =>
					`## ${escapeInline(name)}\n\n${named
						.get(id)!
						.map(({ post }) =>
							item(post.title, paths.markdown(paths.post(post.slug)), post.excerpt),
						)
						.join('\n')}`,
			),
		...(hasStates
			? [
					`## State guides\n\n${states
						.map(({ name, slug }) => item(`AI in ${name}`, paths.markdown(paths.state(slug))))
						.join('\n')}`,
				]
			: []),
		`## Data and feeds\n\n${[
			...(hasStates
				? [
						item('Figures of all states, CSV', '/data/states.csv'),
						item('Figures of all states, JSON', '/data/states.json'),
					]
				: []),
			item('The newest 20 articles, whole, and 30 more in a sentence', '/feed.json'),
			item('All articles', '/api/posts', 'without their text'),
			item('Search over everything', '/api/search?q=attention', 'as JSON'),
			item('Tools for programs', '/.well-known/mcp.json', 'Model Context Protocol at /mcp'),
			item('The API', '/api/openapi.json', 'OpenAPI description'),
		].join('\n')}`,
		`## Optional\n\n${[item('About', '/about'), item('Sitemap', '/sitemap-index.xml')].join('\n')}`,
	];
	return new Response(`${parts.join('\n\n')}\n`);
};
