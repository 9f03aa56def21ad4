import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { subscriberInput, type SubscribeResponse } from './subscriber.ts';

export const subscribe = endpoint<SubscribeResponse>()({
	method: 'POST',
	path: '/api/subscribers',
	input: subscriberInput,
});

export const countSubscribers = endpoint<{ count: number }>()({
	method: 'GET',
	path: '/api/subscribers/count',
	input: z.object({}),
});

/** Reports by a mail provider's webhook that emails bounced or brought complaints. Its signature is in the headers or the body. */
export const reportRefusals = endpoint<{ recorded: number }>()({
	method: 'POST',
	path: '/api/bounces',
	input: z.looseObject({}),
});

/** Returns the public settings of the third-party email service; empty strings if it is not set up. */
export const getEmailjsConfig = endpoint<{
	publicKey: string;
	serviceId: string;
	templateId: string;
}>()({
	method: 'GET',
	path: '/api/emailjs-config',
	input: z.object({}),
});
