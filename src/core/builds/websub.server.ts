import type { Db } from '#db/client.ts';
import type { Courier } from '#src/core/outbox/outbox.server.ts';
import { OutageError, PermanentError, WithdrawnError } from '#src/core/outbox/outbox.ts';
import { SECOND } from '#src/lib/dates.ts';
import { isLoopback, type Env } from '#src/lib/env.ts';
import { paths } from '#src/site.ts';
import { awaitLive } from './builds.server.ts';

const TIMEOUT_MS = 10 * SECOND;
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
		const response = await fetch(WEBSUB_HUB, {
			method: 'POST',
			body,
			signal: AbortSignal.timeout(TIMEOUT_MS),
		}).catch((error: unknown) => {
			throw new OutageError(`${new URL(WEBSUB_HUB).host} cannot be reached: ${String(error)}`);
		});
		await response.body?.cancel();
		if (response.ok) return;
		const { status } = response;
		const message = `The hub answers ${status}.`;
		const isRefusal = status >= 400 && status < 500 && status !== 429;
		throw isRefusal ? new PermanentError(message) : new Error(message);
	};
}
