import type { Context } from '@netlify/functions';
import type { By } from '#src/features/posts/saving.server.ts';
import { callBuilds } from './builds.ts';
import { purge } from './cache.ts';
import { actorOf } from './session.ts';

/** Who does what this request asks for, and when. */
export function by(request: Request): By {
	return { actor: actorOf(request), now: new Date() };
}

/** After a change of posts: answers that the CDN keeps are forgotten, and the build that it asked for is called. */
export function afterChange<Out>(output: Out, context: Context): Out {
	context.waitUntil(Promise.all([purge('posts'), callBuilds()]));
	return output;
}
