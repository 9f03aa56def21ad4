import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { pageErrorReport, type PageError } from './page-error.ts';

/** Reports an uncaught error of a page. The response is the same whether it is kept. */
export const reportPageError = endpoint<Record<string, never>>()(
	'POST /api/errors',
	pageErrorReport,
);

/** Lists what failed in readers' browsers, the newest first. */
export const listPageErrors = endpoint<PageError[]>()('GET /api/admin/errors', nothing);

/** Dismisses an error, which comes back if it happens again. */
export const dismissPageError = endpoint<{ dismissed: number }>()(
	'DELETE /api/admin/errors/:id',
	z.object({ id: z.string().check(z.maxLength(100)) }),
);
