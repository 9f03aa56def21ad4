import { getDb } from '#db/client.ts';
import { callBuilds } from '#functions/lib/builds.ts';
import { purge } from '#functions/lib/cache.ts';
import { on } from '#functions/lib/http.ts';
import { actorOf } from '#functions/lib/writing.ts';
import { fetchCard } from '#src/features/media/card.server.ts';
import { fetchPicture } from '#src/features/media/fetch.server.ts';
import * as api from '#src/features/media/media.api.ts';
import {
	deleteMedia,
	describeMedia,
	showMedia,
	deleteUnused,
} from '#src/features/media/media.server.ts';
import * as uses from '#src/features/media/uses.api.ts';
import { listUses } from '#src/features/media/uses.server.ts';

export const mediaRoutes = [
	on(api.showMedia, ({ id }) => showMedia(getDb(), id)),
	on(api.describeMedia, async ({ id, ...given }, _request, context) => {
		const image = await describeMedia(getDb(), id, given, new Date());
		context.waitUntil(callBuilds());
		return image;
	}),
	on(api.deleteMedia, async ({ id }, request, context) => {
		const deleted = await deleteMedia(getDb(), id, actorOf(request));
		context.waitUntil(purge(`media-${id}`));
		return deleted;
	}),
	on(api.fetchPicture, ({ url }) => fetchPicture(url), { status: 200 }),
	on(api.fetchCard, ({ url }) => fetchCard(url), { status: 200 }),
	on(
		api.deleteUnused,
		async ({ ids }, request, context) => {
			const answer = await deleteUnused(getDb(), ids, actorOf(request));
			if (answer.undo) context.waitUntil(purge('media'));
			return answer;
		},
		{ status: 200 },
	),
	on(uses.listUses, ({ ids }) => listUses(getDb(), ids.split(','))),
];
