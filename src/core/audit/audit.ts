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
	/** When it was taken back. */
	undoneAt: string | null;
	createdAt: string;
};

/** Kinds of entries, by what the subjects of theirs begin with. */
export const AUDIT_KINDS = {
	articles: { label: 'Articles', nouns: ['post', 'posts', 'import'] },
	site: {
		label: 'Site',
		nouns: [
			...['page', 'state', 'states', 'category', 'tag', 'series', 'author'],
			...['site', 'setting', 'redirects', 'network', 'build'],
		],
	},
	pictures: { label: 'Pictures', nouns: ['image'] },
	readers: {
		label: 'Readers',
		nouns: ['comment', 'message', 'subscriber', 'subscribers', 'an', 'answer', 'answers'],
	},
	letters: { label: 'Letters', nouns: ['letter', 'issue', 'newsletter'] },
	account: { label: 'Sign-in', nouns: ['session', 'account', 'program'] },
} as const;
export type AuditKind = keyof typeof AUDIT_KINDS;

export const auditQuery = z.object({
	...pagedInput(['created'], '-created'),
	q: searchField,
	kind: z.catch(z.optional(z.enum(Object.keys(AUDIT_KINDS) as AuditKind[])), undefined),
});
export type AuditQuery = z.infer<typeof auditQuery>;
