import type { Context } from '@netlify/functions';
import type { Actor } from '#src/features/posts/saving.server.ts';
import { callBuilds } from './builds.ts';
import { purge } from './cache.ts';
import { adminEmailOf } from './session.ts';

/** Returns the admin behind a request, and the current time. */
export function actorOf(request: Request): Actor {
	return { actor: adminEmailOf(request), now: new Date() };
}

/** Publishes a change of posts: purges cached responses and calls the requested build. Returns `output`. */
export function publishChange<Out>(output: Out, context: Context): Out {
	context.waitUntil(Promise.all([purge('posts'), callBuilds()]));
	return output;
}

/** Publishes a change of categories or tags, and of the posts in them. Returns `output`. */
export function publishTerms<Out>(output: Out, context: Context): Out {
	context.waitUntil(purge('categories'));
	return publishChange(output, context);
}

/** Publishes a change of states: purges cached responses and calls the requested build. Returns `output`. */
export function publishStates<Out>(output: Out, context: Context): Out {
	context.waitUntil(Promise.all([purge('states'), callBuilds()]));
	return output;
}

/** Publishes a change of pages: calls the requested build. Returns `output`. */
export function publishPages<Out>(output: Out, context: Context): Out {
	context.waitUntil(callBuilds());
	return output;
}
