import type { Db } from '#db/client.ts';
import type { Courier } from '#src/core/outbox/outbox.server.ts';
import { PermanentError, WithdrawnError } from '#src/core/outbox/outbox.ts';
import { isRefusal, post } from '#src/core/outbox/post-json.server.ts';
import { isLoopback, type Env } from '#src/lib/env.ts';
import { paths } from '#src/site.ts';
import { awaitLive } from './builds.server.ts';

/** The feeds that name the hub, by their files. */
const FEEDS = ['rss.xml', 'atom.xml', 'feed.json'];

/** Tells the hub that the feeds have changed, as soon as a build shows them. It fetches them and tells its subscribers. */
export function websubCourier(db: Db, env: Env): Courier {
	const { WEBSUB_HUB, SITE_URL } = env;
	return async ({ key: buildId, createdAt }, now, markSending) => {
		if (!WEBSUB_HUB || isLoopback(SITE_URL)) throw new WithdrawnError('WebSub is not set up.');
		await awaitLive(db, buildId, createdAt, now);
		await markSending();
		const body = new URLSearchParams({ 'hub.mode': 'publish' });
		for (const file of FEEDS) body.append('hub.url', SITE_URL + paths.feed('/', file));
		const response = await post(WEBSUB_HUB, body);
		await response.body?.cancel();
		if (response.ok) return;
		const { status } = response;
		const message = `The hub answers ${status}.`;
		throw isRefusal(status) ? new PermanentError(message) : new Error(message);
	};
}
