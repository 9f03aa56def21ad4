import type { Config } from '@netlify/functions';
import { getReadDb, type Db } from '#db/client.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import type { OpenFigure } from '#src/core/settings/setting.ts';
import * as api from '#src/features/visits/visits.api.ts';
import { getFigures } from '#src/features/visits/figures.server.ts';
import { DESCRIBED, figuresQuery, type FigureRow } from '#src/features/visits/visits.ts';
import { MINUTE, shortDate } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import { escapeHtml, formatCount, plural } from '#src/lib/text.ts';
import { refusalPage, renderPage, PAGE_HEADERS } from './lib/form-page.ts';
import { ResponseWith } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

const TITLE = 'Open figures';
/** Days that are shown, and rows of each list. */
const DAYS_TEXT = 'the last 30 days';
const ROWS = 20;
/** Searches that fewer made are nobody else's business. */
const FEWEST_SEARCHES = 3;

export default serve(
	on(
		api.openPage,
		async () => {
			const db = getReadDb();
			const { openFigures } = await getSettings(db);
			if (openFigures.length === 0) return null;
			return new ResponseWith(await renderFigures(db, openFigures), PAGE_HEADERS);
		},
		{
			cache: ['open'],
			cacheMs: 5 * MINUTE,
			open: false,
			failurePage: (_input, error) =>
				refusalPage(TITLE, `<p role="alert">${escapeHtml(messageOf(error))}</p>`, error),
		},
	),
);

async function renderFigures(db: Db, chosen: OpenFigure[]): Promise<string> {
	const now = new Date();
	const sections: string[] = [];
	for (const by of chosen) {
		const { rows, total } = await getFigures(db, parse(figuresQuery, { by }), now);
		const { title, empty } = DESCRIBED[by];
		const shown = rows.filter(
			(row) => by !== 'search' || Number(row['searches']) >= FEWEST_SEARCHES,
		);
		const sum =
			by === 'day' && total
				? `<p>${plural(total.visitors, 'visitor')} and ${plural(total.views, 'view')}. A visitor of two days counts twice.</p>`
				: '';
		const list = by === 'day' ? shown.toReversed() : shown.slice(0, ROWS);
		sections.push(
			`<h2>${title}</h2>\n${sum}${list.length > 0 ? renderTable(by, list) : `<p>${empty}</p>`}`,
		);
	}
	return renderPage(
		TITLE,
		`<p>What this site counted in ${DAYS_TEXT}, without cookies and without knowing anybody: <a href="/privacy">how</a>.</p>\n${sections.join('\n')}`,
	);
}

function renderTable(by: OpenFigure, rows: FigureRow[]): string {
	const { key, columns } = DESCRIBED[by];
	const head = [key, ...Object.values(columns)].map((name) => `<th scope="col">${name}</th>`);
	const body = rows.map((row) => {
		const counts = Object.keys(columns).map((name) => `<td>${formatCount(Number(row[name]))}</td>`);
		return `<tr><th scope="row">${nameOf(by, row)}</th>${counts.join('')}</tr>`;
	});
	return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

function nameOf(by: OpenFigure, { key, label }: FigureRow): string {
	if (by === 'day') return shortDate(key);
	const text = escapeHtml(label ?? (key || 'No other site'));
	return by === 'page' || by === 'article' ? `<a href="${escapeHtml(key)}">${text}</a>` : text;
}

export const config: Config = { path: '/open' };
