import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import {
	changedDraft,
	newDraft,
	programName,
	type ProgramDraft,
	type ProgramToken,
} from './tokens.ts';

/** Programs with a token that is not revoked, newest first. */
export const listPrograms = endpoint<ProgramToken[]>()({
	method: 'GET',
	path: '/api/admin/programs',
	input: z.object({}),
});

/** Gives a program a token, which is shown this once. */
export const addProgram = endpoint<ProgramToken & { token: string }>()({
	method: 'POST',
	path: '/api/admin/programs',
	input: z.object({ name: programName }),
});

/** Ends a token at once. Its drafts stay. */
export const revokeProgram = endpoint<{ id: string }>()({
	method: 'DELETE',
	path: '/api/admin/programs/:id',
	input: z.object({ id: z.string() }),
});

/** Begins a draft, as a program. With an `id` (a UUID) the call can be repeated. */
export const createDraft = endpoint<ProgramDraft>()({
	method: 'POST',
	path: '/api/admin/drafts',
	input: newDraft,
});

/** A draft that the program began. */
export const getDraft = endpoint<ProgramDraft>()({
	method: 'GET',
	path: '/api/admin/drafts/:id',
	input: z.object({ id: z.string() }),
});

/** Changes a draft that the program began, while it is one. An outdated `version` is a `conflict`. */
export const updateDraft = endpoint<ProgramDraft>()({
	method: 'PUT',
	path: '/api/admin/drafts/:id',
	input: changedDraft,
});
