import type { Config } from '@netlify/functions';
import { getReadDb, type Db } from '#db/client.ts';
import { listCategories } from '#src/features/categories/categories.server.ts';
import * as api from '#src/features/search/search.api.ts';
import { foundText, splitMarks, QUERY_MAX, SEARCH_MINIMUM } from '#src/features/search/search.ts';
import { searchPosts } from '#src/features/search/search.server.ts';
import { localDate } from '#src/lib/dates.ts';
import { messageOf, type AppError } from '#src/lib/errors.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { renderControl, renderPage, PAGE_HEADERS, refusalPage } from './lib/form-page.ts';
import { ResponseWith } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.searchResults,
		async ({ q = '', category }) => {
			const query = q.trim().slice(0, QUERY_MAX);
			return new ResponseWith(
				await renderSearchPage(getReadDb(), query, category || undefined),
				PAGE_HEADERS,
			);
		},
		{ cache: ['posts', 'categories'], open: false, failurePage },
	),
);

export const config: Config = { path: '/search/results' };

const TITLE = 'Search Articles';

/** Returns the page of a failed search, with what was typed still in its form. */
function failurePage({ q, category }: Record<string, unknown>, error: AppError): Response {
	const typed = (value: unknown) => (typeof value === 'string' ? value : '');
	const message = `<p role="alert">${escapeHtml(messageOf(error))}</p>`;
	const chosen = typed(category) ? [{ slug: typed(category), name: typed(category) }] : [];
	const form = searchForm(typed(q).slice(0, QUERY_MAX), typed(category), chosen);
	return refusalPage(TITLE, `${message}\n${form}`, error);
}

/** Returns the search page for browsers without JavaScript. */
async function renderSearchPage(
	db: Db,
	query: string,
	category: string | undefined,
): Promise<string> {
	const [categories, results] = await Promise.all([
		listCategories(db, new Date()),
		searchPosts(db, { q: query, category }, new Date()),
	]);
	const form = searchForm(query, category ?? '', categories);
	return renderPage(TITLE, `${form}\n${renderResults(query, results, categories)}`);
}

function searchForm(
	query: string,
	category: string,
	categories: { slug: string; name: string }[],
): string {
	const options = [
		{ value: '', label: 'All Categories' },
		...categories.map(({ slug, name }) => ({ value: slug, label: name })),
	];
	return `<form action="${api.searchResults.path}">
${renderControl({ name: 'q', label: 'Search articles', type: 'text', maxLength: QUERY_MAX }, query, false)}
${renderControl({ name: 'category', label: 'Category', type: 'select', options }, category, false)}
<button>Search</button>
</form>`;
}

function renderResults(
	query: string,
	results: api.SearchResult[],
	categories: { slug: string; name: string }[],
): string {
	if (query.length < SEARCH_MINIMUM) {
		return `<p>Type at least ${SEARCH_MINIMUM} characters to search.</p>`;
	}
	if (results.length === 0) {
		const links = categories.map(
			({ slug, name }) => `<li><a href="${paths.category(slug)}">${escapeHtml(name)}</a></li>`,
		);
		return `<p>No articles found for <strong>“${escapeHtml(query)}”</strong></p>
<h2>Look through a category</h2>
<ul>${links.join('')}</ul>`;
	}
	const corrected = results[0]?.corrected;
	const heading = corrected
		? `Did you mean <a href="${escapeHtml(`${api.searchResults.path}?${new URLSearchParams({ q: corrected })}`)}">${escapeHtml(corrected)}</a>?`
		: escapeHtml(foundText(query, results));
	return `<p role="status">${heading}</p>\n${results.map(renderResult).join('\n')}`;
}

function renderResult({
	slug,
	title,
	passage,
	marks,
	category,
	publishedAt,
	readTime,
}: api.SearchResult) {
	const facts = [
		category.name,
		publishedAt && localDate(publishedAt.slice(0, 10), 'medium'),
		`${readTime} min read`,
	].filter(Boolean);
	return `<h2><a href="${escapeHtml(paths.post(slug))}">${markedHtml(title, marks)}</a></h2>
<p>${markedHtml(passage, marks)}<br><small>${escapeHtml(facts.join(' · '))}</small></p>`;
}

const markedHtml = (text: string, marks: string[]) =>
	splitMarks(text, marks)
		.map((part) => (part.hit ? `<mark>${escapeHtml(part.text)}</mark>` : escapeHtml(part.text)))
		.join('');
