import * as z from 'zod/mini';
import { choiceOf, type Screen } from '#src/features/mail/screen.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { PREFERENCE_CHOICES } from './preferences.ts';

const token = z.string({ error: 'This link is not complete.' });

/** One click, also a mail client's own (RFC 8058): without a choice it unsubscribes. */
export const unsubscribe = endpoint<Screen>()({
	method: 'POST',
	path: '/unsubscribe',
	input: z.object({ token, choice: choiceOf(['undo']) }),
});

/** What an address gets, behind its signed link; without a choice it only shows. */
export const preferences = endpoint<Screen>()({
	method: 'POST',
	path: '/preferences',
	input: z.object({ token, choice: choiceOf(PREFERENCE_CHOICES) }),
});
