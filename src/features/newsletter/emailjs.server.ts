import type { Courier } from '#src/core/outbox/outbox.server.ts';
import { postJson } from '#src/core/outbox/post-json.server.ts';
import type { Env } from '#src/lib/env.ts';

const API = 'https://api.emailjs.com';

/**
 * Returns a courier that has EmailJS send the welcome email from its own template, or null unless all of its
 * keys are set.
 */
export function emailjsCourier(env: Env): Courier | null {
	const { EMAILJS_API_URL = API, DIGEST_TIME_ZONE: timeZone } = env;
	const service_id = env.EMAILJS_SERVICE_ID;
	const template_id = env.EMAILJS_TEMPLATE_ID;
	const user_id = env.EMAILJS_PUBLIC_KEY;
	const accessToken = env.EMAILJS_PRIVATE_KEY;
	if (!service_id || !template_id || !user_id || !accessToken) return null;
	return async ({ recipient, createdAt }, _now, markSending) => {
		await markSending();
		await postJson(`${EMAILJS_API_URL}/api/v1.0/email/send`, {
			service_id,
			template_id,
			user_id,
			accessToken,
			template_params: {
				user_email: recipient,
				subscribe_date: createdAt.toLocaleDateString('en-US', { timeZone }),
				subscribe_time: createdAt.toLocaleTimeString('en-US', { timeZone }),
			},
		});
	};
}
