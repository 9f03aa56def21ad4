import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { subscriberInput, type SubscribeResponse } from './subscriber.ts';

export const subscribe = endpoint<SubscribeResponse>()('POST /api/subscribers', subscriberInput);

export const countSubscribers = endpoint<{ count: number }>()(
	'GET /api/subscribers/count',
	nothing,
);

/** Reports by a mail provider's webhook that emails bounced or brought complaints. Its signature is in the headers or the body. */
export const reportRefusals = endpoint<{ recorded: number }>()(
	'POST /api/bounces',
	z.looseObject({}),
);

/** Returns the public settings of the third-party email service; empty strings if it is not set up. */
export const getEmailjsConfig = endpoint<{
	publicKey: string;
	serviceId: string;
	templateId: string;
}>()('GET /api/emailjs-config', nothing);
