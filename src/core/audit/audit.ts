import * as z from 'zod/mini';
import { pagedInput, searchField } from '#src/lib/paging.ts';

/** The author and time of a change. */
export type Actor = { actor: string; now: Date };

export type AuditEntry = {
	id: number;
	actor: string;
	action: string;
	subject: string;
	detail: string | null;
	/** Token that takes the action back, while that is possible. */
	undo: string | null;
	createdAt: string;
};

export const auditQuery = z.object({
	...pagedInput(['created'], '-created'),
	q: searchField,
});
export type AuditQuery = z.infer<typeof auditQuery>;
