import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { pageErrorReport, type PageError } from './page-error.ts';

/** Reports an uncaught error of a page. The response is the same whether it is kept. */
export const reportPageError = endpoint<Record<string, never>>()({
	method: 'POST',
	path: '/api/errors',
	input: pageErrorReport,
});

/** Lists what failed in readers' browsers, the newest first. */
export const listPageErrors = endpoint<PageError[]>()({
	method: 'GET',
	path: '/api/admin/errors',
	input: z.object({}),
});

/** Dismisses an error, which comes back if it happens again. */
export const dismissPageError = endpoint<{ dismissed: number }>()({
	method: 'DELETE',
	path: '/api/admin/errors/:id',
	input: z.object({ id: z.string().check(z.maxLength(100)) }),
});
