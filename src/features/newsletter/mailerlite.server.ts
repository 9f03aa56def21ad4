import { eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { subscribers } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import type { Courier } from '#src/core/outbox/outbox.server.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { postJson } from '#src/core/outbox/post-json.server.ts';
import type { Env } from '#src/lib/env.ts';
import { mailListPayload } from './mail-list.ts';

const API = 'https://connect.mailerlite.com/api';

/** The remaining fields of a subscriber who erased everything. */
const ERASED_SUBSCRIBER = { source: null, name: null, lastName: null, active: false };

/**
 * Returns a courier that copies a subscriber's current state to MailerLite, so that the order of copies does
 * not matter; null without a key.
 */
export function mailerliteCourier(db: Db, env: Env): Courier | null {
	const { MAILERLITE_API_KEY: key, MAILERLITE_GROUP_ID, MAILERLITE_API_URL = API } = env;
	if (!key) return null;
	return async ({ recipient, payload }, _now, markSending) => {
		const [row] = await db
			.select(tolerant(subscribers))
			.from(subscribers)
			.where(eq(subscribers.email, recipient!));
		if (!row && !payload['erased']) throw new WithdrawnError('There is no such subscriber.');
		const { email, source, name, lastName, active } = row ?? {
			...ERASED_SUBSCRIBER,
			email: recipient!,
		};
		const signup = { email, source: source ?? '', name: name ?? '', lastName: lastName ?? '' };
		await markSending();
		await postJson(
			`${MAILERLITE_API_URL}/subscribers`,
			mailListPayload(signup, MAILERLITE_GROUP_ID, active),
			{ Authorization: `Bearer ${key}` },
		);
	};
}
