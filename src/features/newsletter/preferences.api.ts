import * as z from 'zod/mini';
import { choiceMatching, choiceOf, linkToken, type Screen } from '#src/core/screen.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { PREFERENCE_CHOICES, UNDO_PATTERN } from './preferences.ts';

/** One click, also a mail client's own (RFC 8058): without a choice it unsubscribes, with that of its answer it undoes it. */
export const unsubscribe = endpoint<Screen>()({
	method: 'POST',
	path: '/unsubscribe',
	input: z.object({ token: linkToken, choice: choiceMatching(UNDO_PATTERN) }),
});

/** What an address gets, behind its signed link; without a choice it only shows. */
export const preferences = endpoint<Screen>()({
	method: 'POST',
	path: '/preferences',
	input: z.object({ token: linkToken, choice: choiceOf(PREFERENCE_CHOICES) }),
});
