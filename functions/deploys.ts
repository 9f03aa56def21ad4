import type { NetlifyFunction } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { beginDeploy, failDeploy, finishDeploy } from '#src/core/builds/builds.server.ts';
import { purge } from './lib/cache.ts';

/**
 * Handlers of Netlify's deploy events, for the publish timeline. They have no address, and the one-machine
 * server never calls them.
 */
export default {
	async deployBuilding({ deploy }) {
		if (deploy.context === 'production') await beginDeploy(getDb(), new Date(deploy.createdAt));
	},
	async deploySucceeded({ deploy }) {
		if (deploy.context !== 'production') return;
		await finishDeploy(getDb(), new Date());
		// What a deploy changes without a write: seeded content, settings, and posts that became due.
		await purge('posts', 'categories', 'states', 'configuration');
	},
	async deployFailed({ deploy }) {
		if (deploy.context !== 'production') return;
		const reason = deploy.errorMessage ?? 'Netlify could not build the site.';
		await failDeploy(getDb(), new Date(deploy.createdAt), new Date(), reason);
	},
} satisfies NetlifyFunction;
