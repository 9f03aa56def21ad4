import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/setup/setup.api.ts';
import { finishSetup, getSetup, skipSetup } from '#src/features/setup/setup.server.ts';
import { deliverNow } from './lib/deliver.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, sensitive, serveAdmin, signedInAdmin } from './lib/session.ts';
import { actorOf, publishStates, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(api.getSetup, (_input, request) => getSetup(getDb(), adminEmailOf(request))),
	sensitive(
		on(api.finishSetup, async (form, request, context) => {
			const saved = await finishSetup(getDb(), form, actorOf(request), signedInAdmin(request));
			context.waitUntil(deliverNow());
			return publishTerms(publishStates(saved, context), context);
		}),
	),
	on(api.skipSetup, async () => {
		await skipSetup(getDb());
		return { isDue: false as const };
	}),
);

export const config: Config = { path: '/api/admin/setup' };
