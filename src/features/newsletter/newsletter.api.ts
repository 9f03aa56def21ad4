import * as z from 'zod/mini';
import type { Screen } from '#src/features/mail/screen.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { PREFERENCE_CHOICES } from './preferences.ts';
import { mailListInput, subscriberInput, type SubscribeAnswer } from './subscriber.ts';

export const subscribe = endpoint<SubscribeAnswer>()({
	method: 'POST',
	path: '/api/subscribers',
	input: subscriberInput,
});

/** The floating widget's way in, by the payload of a mail list. */
export const subscribeToList = endpoint<
	SubscribeAnswer & { data: { email: string; status: 'active' } }
>()({
	method: 'POST',
	path: '/api/mailerlite/subscribe',
	input: mailListInput,
});

export const countSubscribers = endpoint<{ count: number }>()({
	method: 'GET',
	path: '/api/subscribers/count',
	input: z.object({}),
});

/** What a page may know of the third-party e-mail service; empty strings where it is not set up. */
export const getEmailjsConfig = endpoint<{
	publicKey: string;
	serviceId: string;
	templateId: string;
}>()({
	method: 'GET',
	path: '/api/emailjs-config',
	input: z.object({}),
});

const token = z.string({ error: 'This link is not complete.' });

/** One click, also a mail client's own (RFC 8058): without a choice it unsubscribes. */
export const unsubscribe = endpoint<Screen>()({
	method: 'POST',
	path: '/unsubscribe',
	input: z.object({ token, choice: z.optional(z.literal('undo')) }),
});

/** What an address gets, behind its signed link; without a choice it only shows. */
export const preferences = endpoint<Screen>()({
	method: 'POST',
	path: '/preferences',
	input: z.object({ token, choice: z.optional(z.enum(PREFERENCE_CHOICES)) }),
});
