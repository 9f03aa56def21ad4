import * as z from 'zod/mini';
import { linkToken, type Screen } from '#src/core/screen.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import {
	LETTER_ACTIONS,
	letterDraft,
	letterForm,
	type LetterCheck,
	type LetterDetail,
	type LetterView,
} from './letters.ts';
import { nextIssueForm, type IssuePage, type NextIssue } from './next-issue.ts';

/** The next issue as of now; if asked for, with what its page on the site will show. */
export const getNextIssue = endpoint<NextIssue & { page?: IssuePage }>()(
	'GET /api/admin/letters/next',
	z.object({ page: z.optional(z.stringbool()) }),
);

/** Missing fields keep their values. An outdated `version` is a `conflict` that carries what is stored. */
export const updateNextIssue = endpoint<NextIssue>()(
	'PUT /api/admin/letters/next',
	z.extend(z.partial(nextIssueForm), { version: z.optional(z.coerce.number()) }),
);

/** Takes an article into the next issue, or leaves it out; one that is not public yet as well. */
export const placeInIssue = endpoint<{ id: string; isIn: boolean }>()(
	'PUT /api/admin/letters/next/articles/:id',
	z.object({ id: z.string().check(z.maxLength(64)), isIn: z.boolean() }),
);

/** Sends the issue that waits for approval. */
export const approveIssue = endpoint<{ date: string }>()('POST /api/admin/letters/next', nothing);

/** The latest letters, newest first. */
export const listLetters = endpoint<{ letters: LetterView[] }>()('GET /api/admin/letters', nothing);

/**
 * Sends a letter of its own, now or later. A `conflict` says that its readers get another one within a day. Repeated with the
 * same `id` it returns the letter as it is; with other words it is a `conflict`.
 */
export const createLetter = endpoint<LetterView & { bytes: number }>()(
	'POST /api/admin/letters',
	letterForm,
);

/** Says before a letter is sent whom it would reach and how large it is. Changes nothing. */
export const checkLetter = endpoint<LetterCheck>()('POST /api/admin/letters/check', letterForm);

/** A letter that is being written as the email that it would be. A form posts it into a frame. */
export const previewLetter = endpoint<string>()('POST /api/admin/letters/preview', letterDraft);

/** A letter with the number of its emails in each state. */
export const getLetter = endpoint<LetterDetail>()(
	'GET /api/admin/letters/:id',
	z.object({ id: z.string() }),
);

/** Pauses a letter that goes out, resumes it, or ends it for those who do not have it. */
export const steerLetter = endpoint<LetterDetail>()(
	'POST /api/admin/letters/:id/:action',
	z.object({ id: z.string(), action: z.enum(LETTER_ACTIONS) }),
);

/** The issue that waits behind a link in an email to the owner. Changes nothing. */
export const showApproval = endpoint<Screen>()(
	'GET /letters/approve',
	z.object({ token: linkToken }),
);

/** Sends it. */
export const approveByLink = endpoint<Screen>()(
	'POST /letters/approve',
	z.object({ token: linkToken }),
);
