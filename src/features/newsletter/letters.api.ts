import * as z from 'zod/mini';
import { linkToken, type Screen } from '#src/core/screen.ts';
import { endpoint } from '#src/lib/endpoint.ts';
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
export const getNextIssue = endpoint<NextIssue & { page?: IssuePage }>()({
	method: 'GET',
	path: '/api/admin/letters/next',
	input: z.object({ page: z.optional(z.stringbool()) }),
});

/** Missing fields keep their values. An outdated `version` is a `conflict` that carries what is stored. */
export const updateNextIssue = endpoint<NextIssue>()({
	method: 'PUT',
	path: '/api/admin/letters/next',
	input: z.extend(z.partial(nextIssueForm), { version: z.optional(z.coerce.number()) }),
});

/** Takes an article into the next issue, or leaves it out; one that is not public yet as well. */
export const placeInIssue = endpoint<{ id: string; isIn: boolean }>()({
	method: 'PUT',
	path: '/api/admin/letters/next/articles/:id',
	input: z.object({ id: z.string().check(z.maxLength(64)), isIn: z.boolean() }),
});

/** Sends the issue that waits for approval. */
export const approveIssue = endpoint<{ date: string }>()({
	method: 'POST',
	path: '/api/admin/letters/next',
	input: z.object({}),
});

/** The latest letters, newest first. */
export const listLetters = endpoint<{ letters: LetterView[] }>()({
	method: 'GET',
	path: '/api/admin/letters',
	input: z.object({}),
});

/**
 * Sends a letter of its own, now or later. A `conflict` says that its readers get another one within a day. Repeated with the
 * same `id` it returns the letter as it is; with other words it is a `conflict`.
 */
export const createLetter = endpoint<LetterView & { bytes: number }>()({
	method: 'POST',
	path: '/api/admin/letters',
	input: letterForm,
});

/** Says before a letter is sent whom it would reach and how large it is. Changes nothing. */
export const checkLetter = endpoint<LetterCheck>()({
	method: 'POST',
	path: '/api/admin/letters/check',
	input: letterForm,
});

/** A letter that is being written as the email that it would be. A form posts it into a frame. */
export const previewLetter = endpoint<string>()({
	method: 'POST',
	path: '/api/admin/letters/preview',
	input: letterDraft,
});

/** A letter with the number of its emails in each state. */
export const getLetter = endpoint<LetterDetail>()({
	method: 'GET',
	path: '/api/admin/letters/:id',
	input: z.object({ id: z.string() }),
});

/** Pauses a letter that goes out, resumes it, or ends it for those who do not have it. */
export const steerLetter = endpoint<LetterDetail>()({
	method: 'POST',
	path: '/api/admin/letters/:id/:action',
	input: z.object({ id: z.string(), action: z.enum(LETTER_ACTIONS) }),
});

/** The issue that waits behind a link in an email to the owner. Changes nothing. */
export const showApproval = endpoint<Screen>()({
	method: 'GET',
	path: '/letters/approve',
	input: z.object({ token: linkToken }),
});

/** Sends it. */
export const approveByLink = endpoint<Screen>()({
	method: 'POST',
	path: '/letters/approve',
	input: z.object({ token: linkToken }),
});
