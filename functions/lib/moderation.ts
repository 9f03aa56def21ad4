import type { Context } from '@netlify/functions';
import { purge } from './cache.ts';

/** Lets readers see at once what was decided on comments of these posts. */
export async function showComments(postIds: string[], context: Context): Promise<void> {
	if (postIds.length === 0) return;
	context.waitUntil(purge(...postIds.map((id) => `comments-${id}`)));
}
