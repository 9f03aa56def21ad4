import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { figuresQuery, visitInput, type Figures } from './visits.ts';

/** Counts a page, how far it was read, or a search. The response reveals nothing. */
export const countVisit = endpoint<Record<string, never>>()('POST /api/visits', visitInput);

/** One figure of the visits between two days. */
export const getFigures = endpoint<Figures>()('GET /api/admin/visits', figuresQuery);

/** The page that shows everybody the figures which the owner chose. Not found without any. */
export const openPage = endpoint<string>()('GET /open', nothing);
