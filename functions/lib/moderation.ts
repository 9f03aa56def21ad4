import type { Context } from '@netlify/functions';
import { deliverNow } from './deliver.ts';
import { afterChange } from './writing.ts';

/** Shows readers a moderation decision at once, and tells those who asked for it: purges the comments of these posts and calls the requested build. */
export function afterModeration(postIds: string[], context: Context): void {
	if (postIds.length === 0) return;
	const tags = postIds.map((id) => `comments-${id}`);
	context.waitUntil(deliverNow());
	afterChange(tags, context, undefined);
}
