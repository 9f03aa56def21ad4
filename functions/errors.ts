import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { consumeAttempt, errorsInAll, errorsPerAddress } from '#src/core/limits/limits.server.ts';
import * as api from '#src/features/errors/errors.api.ts';
import { recordPageError } from '#src/features/errors/errors.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { on, serve } from './lib/http.ts';
import { consumePerAddress } from './lib/public-form.ts';

export default serve(
	on(
		api.reportPageError,
		async (report, { headers }, context) => {
			if (headers.get('Sec-GPC') === '1') return {};
			const [db, now] = [getDb(), new Date()];
			await consumePerAddress(db, errorsPerAddress, context, now);
			await consumeAttempt(db, errorsInAll, getSecret(), 'all', now);
			await recordPageError(db, report, headers.get('User-Agent') ?? '', now);
			return {};
		},
		{ status: 200, maxBody: 16 * 1024 },
	),
);

export const config: Config = {
	path: '/api/errors',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 30 },
};
