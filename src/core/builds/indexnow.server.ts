import type { Db } from '#db/client.ts';
import { PostponedError, WithdrawnError } from '#src/core/outbox/outbox.ts';
import type { Courier } from '#src/core/outbox/outbox.server.ts';
import { postJson } from '#src/core/outbox/post-json.server.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { isLoopback, type Env } from '#src/lib/env.ts';
import { isLive } from './builds.server.ts';
import { submissions } from './indexnow.ts';

const API = 'https://api.indexnow.org/indexnow';
/** Builds that fail for longer are not for search engines to wait for. */
const GIVE_UP_MS = 7 * DAY;

/** Tells search engines what a build changed, as soon as they find it there. */
export function indexnowCourier(db: Db, env: Env): Courier {
	const { INDEXNOW_KEY, INDEXNOW_URL = API, SITE_URL } = env;
	return async ({ key: buildId, payload, createdAt }, now, markSending) => {
		if (!INDEXNOW_KEY || isLoopback(SITE_URL)) throw new WithdrawnError('IndexNow is not set up.');
		const isOnline = await isLive(db, buildId, now);
		if (!isOnline && now.getTime() - createdAt.getTime() > GIVE_UP_MS) {
			throw new WithdrawnError('No build went live.');
		}
		if (!isOnline) throw new PostponedError(new Date(now.getTime() + MINUTE));
		await markSending();
		for (const body of submissions(SITE_URL, INDEXNOW_KEY, payload['paths'] as string[])) {
			await postJson(INDEXNOW_URL, body, {}, isRefusal);
		}
	};
}

/** Also a key that is not accepted: the next change tells of itself. */
function isRefusal(status: number): boolean {
	return status >= 400 && status < 500 && status !== 429;
}
