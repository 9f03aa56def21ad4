import * as z from 'zod/mini';
import { choiceMatching, linkToken, type Screen } from '#src/core/screen.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { PREFERENCE_PATTERN, UNDO_PATTERN } from './preferences.ts';

/**
 * Unsubscribes with one click, also a mail client's own (RFC 8058). With the choice offered in the response,
 * undoes it.
 */
export const unsubscribe = endpoint<Screen>()(
	'POST /unsubscribe',
	z.object({ token: linkToken, choice: choiceMatching(UNDO_PATTERN) }),
);

/** An address's subscriptions behind its signed link. Without a choice it only shows them. */
export const preferences = endpoint<Screen>()(
	'POST /preferences',
	z.object({ token: linkToken, choice: choiceMatching(PREFERENCE_PATTERN) }),
);
