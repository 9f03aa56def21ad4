import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import {
	changedDraft,
	newDraft,
	programName,
	type ProgramDraft,
	type ProgramToken,
} from './tokens.ts';

/** Programs with a token that is not revoked, newest first. */
export const listPrograms = endpoint<ProgramToken[]>()('GET /api/admin/programs', nothing);

/** Gives a program a token, which is shown this once. */
export const addProgram = endpoint<ProgramToken & { token: string }>()(
	'POST /api/admin/programs',
	z.object({ name: programName }),
);

/** Ends a token at once. Its drafts stay. */
export const revokeProgram = endpoint<{ id: string }>()(
	'DELETE /api/admin/programs/:id',
	z.object({ id: z.string() }),
);

/** Begins a draft, as a program. With an `id` (a UUID) the call can be repeated. */
export const createDraft = endpoint<ProgramDraft>()('POST /api/admin/drafts', newDraft);

/** A draft that the program began. */
export const getDraft = endpoint<ProgramDraft>()(
	'GET /api/admin/drafts/:id',
	z.object({ id: z.string() }),
);

/** Changes a draft that the program began, while it is one. An outdated `version` is a `conflict`. */
export const updateDraft = endpoint<ProgramDraft>()('PUT /api/admin/drafts/:id', changedDraft);
