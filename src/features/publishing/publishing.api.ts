import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';

export type Health = {
	status: 'ok';
	/** Number of migrations applied. */
	schemaVersion: number;
	/** When the pages were last built, or null. */
	builtAt: string | null;
};

/** Answers 503 where the database cannot be reached. */
export const getHealth = endpoint<Health>()({
	method: 'GET',
	path: '/api/health',
	input: z.object({}),
});
