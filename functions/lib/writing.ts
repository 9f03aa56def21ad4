import type { Context } from '@netlify/functions';
import type { Actor } from '#src/features/posts/saving.server.ts';
import { callBuilds } from './builds.ts';
import { purge } from './cache.ts';
import { adminEmailOf } from './session.ts';

/** Who does what this request asks for, and when. */
export function actorOf(request: Request): Actor {
	return { actor: adminEmailOf(request), now: new Date() };
}

/** After a change of posts: answers that the CDN keeps are forgotten, and the build that it asked for is called. */
export function publishChange<Out>(output: Out, context: Context): Out {
	context.waitUntil(Promise.all([purge('posts'), callBuilds()]));
	return output;
}
