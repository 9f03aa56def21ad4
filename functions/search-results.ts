import type { Config } from '@netlify/functions';
import { getReadDb, type Db } from '#db/client.ts';
import { listCategories } from '#src/features/categories/categories.server.ts';
import * as api from '#src/features/search/search.api.ts';
import {
	KINDS,
	QUERY_MAX,
	SEARCH_MINIMUM,
	isTooShort,
	foundText,
	groupFound,
	isKind,
	noteOf,
	splitMarks,
	type Kind,
} from '#src/features/search/search.ts';
import { ask } from '#src/features/search/asking.server.ts';
import { messageOf, type AppError } from '#src/lib/errors.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { renderControl, renderPage, PAGE_HEADERS, refusalPage } from './lib/form-page.ts';
import { ResponseWith, seeOther } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.searchResults,
		async ({ q = '', category, kind = '', from }, request) => {
			// From the search page, without its question. Not kept by the CDN.
			if (from !== undefined) return seeOther(`${api.searchResults.path}?${askedBy(request)}`);
			const query = q.trim().slice(0, QUERY_MAX);
			const search = {
				q: query,
				category: category || undefined,
				kind: isKind(kind) ? kind : undefined,
			};
			return new ResponseWith(await renderSearchPage(getReadDb(), search), PAGE_HEADERS);
		},
		{ cache: ['posts', 'categories', 'states'], open: false, failurePage },
	),
);

export const config: Config = { path: '/search/results' };

const TITLE = 'Search Articles';

/** Returns what was asked at the search page that a browser without JavaScript comes from. */
function askedBy({ headers }: Request): string {
	const { search = '' } = URL.parse(headers.get('Referer') ?? '') ?? {};
	return String(
		new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => name !== 'from')),
	);
}

/** Returns the page of a failed search, with what was typed still in its form. */
function failurePage({ q, category }: Record<string, unknown>, error: AppError): Response {
	const typed = (value: unknown) => (typeof value === 'string' ? value : '');
	const message = `<p role="alert">${escapeHtml(messageOf(error))}</p>`;
	const chosen = typed(category) ? [{ slug: typed(category), name: typed(category) }] : [];
	const form = searchForm(typed(q).slice(0, QUERY_MAX), typed(category), chosen);
	return refusalPage(TITLE, `${message}\n${form}`, error);
}

type Search = { q: string; category: string | undefined; kind: Kind | undefined };

/** Returns the search page for browsers without JavaScript. */
async function renderSearchPage(db: Db, search: Search): Promise<string> {
	const now = new Date();
	const [categories, found] = await Promise.all([
		listCategories(db, now),
		ask('everything', db, search, now),
	]);
	const form = searchForm(search.q, search.category ?? '', categories);
	return renderPage(TITLE, `${form}\n${renderResults(search, found, categories)}`);
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
	search: Search,
	found: api.Findings,
	categories: { slug: string; name: string }[],
): string {
	const { q } = search;
	const { results, corrected } = found;
	if (isTooShort(q)) {
		return `<p>Type at least ${SEARCH_MINIMUM} characters to search.</p>`;
	}
	if (results.length === 0) {
		const links = categories.map(
			({ slug, name }) => `<li><a href="${paths.category(slug)}">${escapeHtml(name)}</a></li>`,
		);
		return `${kindLinks(search, found.kinds)}<p>No articles found for <strong>“${escapeHtml(q)}”</strong></p>
<h2>Look through a category</h2>
<ul>${links.join('')}</ul>`;
	}
	const heading = corrected
		? `Did you mean <a href="${addressOf({ ...search, q: corrected })}">${escapeHtml(corrected)}</a>?`
		: escapeHtml(foundText(q, found));
	const groups = groupFound(results).map(
		([name, list]) => `<h2>${name}</h2>\n${list.map(renderResult).join('\n')}`,
	);
	return `${kindLinks(search, found.kinds)}<p role="status">${heading}</p>\n${groups.join('\n')}`;
}

/** Returns links to the results of each kind, and to all of them. */
function kindLinks(search: Search, kinds: Kind[]): string {
	if (kinds.length < 2) return '';
	const links = [undefined, ...kinds].map((kind) => {
		const current = kind === search.kind ? ' aria-current="true"' : '';
		return `<a href="${addressOf({ ...search, kind })}"${current}>${kind ? KINDS[kind] : 'Everything'}</a>`;
	});
	return `<nav aria-label="Kinds of results"><p>${links.join(' · ')}</p></nav>\n`;
}

function addressOf(search: Search): string {
	const given = Object.entries(search).filter((entry): entry is [string, string] =>
		Boolean(entry[1]),
	);
	return escapeHtml(`${api.searchResults.path}?${new URLSearchParams(given)}`);
}

function renderResult({ title, url, snippet, marks, ...found }: api.Found) {
	const note = noteOf(found);
	return `<h3><a href="${escapeHtml(url)}">${markedHtml(curlQuotes(title), marks)}</a></h3>
<p>${markedHtml(snippet, marks)}${note && `<br><small>${escapeHtml(note)}</small>`}</p>`;
}

const markedHtml = (text: string, marks: string[]) =>
	splitMarks(text, marks)
		.map((part) => (part.hit ? `<mark>${escapeHtml(part.text)}</mark>` : escapeHtml(part.text)))
		.join('');
