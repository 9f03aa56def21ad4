import type { Context } from '@netlify/functions';
import { callBuilds } from './builds.ts';
import { purge } from './cache.ts';
import { deliverNow } from './deliver.ts';

/** Shows readers a moderation decision at once, and tells those who asked for it: purges the comments of these posts and calls the requested build. */
export function publishModeration(postIds: string[], context: Context): void {
	if (postIds.length === 0) return;
	const tags = postIds.map((id) => `comments-${id}`);
	context.waitUntil(Promise.all([purge(...tags), callBuilds(), deliverNow()]));
}
