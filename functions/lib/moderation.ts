import type { Context } from '@netlify/functions';
import { callBuilds } from './builds.ts';
import { purge } from './cache.ts';

/** Lets readers see at once what was decided on comments of these posts, and calls the build that this asked for. */
export function publishModeration(postIds: string[], context: Context): void {
	if (postIds.length === 0) return;
	const tags = postIds.map((id) => `comments-${id}`);
	context.waitUntil(Promise.all([purge(...tags), callBuilds()]));
}
