import type { Context } from '@netlify/functions';
import type { Actor } from '#src/core/audit/audit.ts';
import { callBuilds } from './builds.ts';
import { purge } from './cache.ts';
import { adminEmailOf } from './session.ts';

/** Returns the admin behind a request, and the current time. */
export function actorOf(request: Request): Actor {
	return { actor: adminEmailOf(request), now: new Date() };
}

/** Purges cached responses by the tags of what changed and calls the requested build. Returns `output`. */
export function afterChange<Out>(tags: string[], context: Context, output: Out): Out {
	context.waitUntil(Promise.all([purge(...tags), callBuilds()]));
	return output;
}
