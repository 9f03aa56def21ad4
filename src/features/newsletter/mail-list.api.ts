import { endpoint } from '#src/lib/endpoint.ts';
import { mailListInput } from './mail-list.ts';
import type { SubscribeResponse } from './subscriber.ts';

/** The floating widget's signup, with the payload of a mail list. */
export const subscribeToList = endpoint<
	SubscribeResponse & { data: { email: string; status: 'active' | 'unconfirmed' } }
>()('POST /api/mailerlite/subscribe', mailListInput);
