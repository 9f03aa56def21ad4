import type { Db } from '#db/client.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import type { Courier } from '#src/core/outbox/outbox.server.ts';
import { isRefusal, postJson } from '#src/core/outbox/post-json.server.ts';
import { isLoopback, type Env } from '#src/lib/env.ts';
import { awaitLive } from './builds.server.ts';
import { submissions } from './indexnow.ts';

const API = 'https://api.indexnow.org/indexnow';

/** Tells search engines what a build changed, as soon as they find it there. */
export function indexnowCourier(db: Db, env: Env): Courier {
	const { INDEXNOW_KEY, INDEXNOW_URL = API, SITE_URL } = env;
	return async ({ key: buildId, payload, createdAt }, now, markSending) => {
		if (!INDEXNOW_KEY || isLoopback(SITE_URL)) throw new WithdrawnError('IndexNow is not set up.');
		await awaitLive(db, buildId, createdAt, now);
		await markSending();
		for (const body of submissions(SITE_URL, INDEXNOW_KEY, payload['paths'] as string[])) {
			// Also a key that is not accepted: the next change tells of itself.
			await postJson(INDEXNOW_URL, body, {}, isRefusal);
		}
	};
}
