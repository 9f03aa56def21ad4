import { getDb } from '#db/client.ts';
import { on } from '#functions/lib/http.ts';
import * as due from '#src/features/due/due.api.ts';
import { getDue } from '#src/features/due/due.server.ts';
import * as errors from '#src/features/errors/errors.api.ts';
import { listPageErrors, dismissPageError } from '#src/features/errors/errors.server.ts';
import * as feedback from '#src/features/feedback/feedback.api.ts';
import { changeFeedback } from '#src/features/feedback/feedback.server.ts';
import * as home from '#src/features/home/home.api.ts';
import { getHome, noteVisit } from '#src/features/home/home.server.ts';
import * as stats from '#src/features/stats/stats.api.ts';
import { getStats, countWaiting } from '#src/features/stats/stats.server.ts';
import { getFigures } from '#src/features/visits/figures.server.ts';
import * as visits from '#src/features/visits/visits.api.ts';
import { figuresCsv } from '#src/features/visits/visits.ts';

export const overviewRoutes = [
	on(stats.getStats, ({ days, to }) => getStats(getDb(), days, to ? new Date(to) : new Date())),
	on(stats.countWaiting, () => countWaiting(getDb())),
	on(visits.getFigures, async (query) => {
		const figures = await getFigures(getDb(), query, new Date());
		if (query.format === 'json') return figures;
		const name = `${figures.by}-${figures.from}-${figures.to}.csv`;
		return new Response(figuresCsv(figures), {
			headers: {
				'Content-Type': 'text/csv; charset=utf-8',
				'Content-Disposition': `attachment; filename="${name}"`,
				'Cache-Control': 'no-store',
			},
		});
	}),
	on(home.getHome, () => getHome(getDb(), new Date())),
	on(home.noteVisit, (input) => noteVisit(getDb(), input, new Date())),
	on(due.getDue, () => getDue(getDb(), new Date())),
	on(feedback.changeFeedback, (input) => changeFeedback(getDb(), input, new Date())),
	on(errors.listPageErrors, () => listPageErrors(getDb())),
	on(errors.dismissPageError, ({ id }) => dismissPageError(getDb(), id)),
];
