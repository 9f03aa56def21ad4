import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { consumeAttempt, previewsPerAddress } from '#src/core/limits/limits.server.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { getPreview } from '#src/features/posts/preview.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { limitSubjectOf } from './lib/public-form.ts';
import { ResponseWith } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.getPreview, async ({ token }, _request, { ip }) => {
		const now = new Date();
		await consumeAttempt(getDb(), previewsPerAddress, getSecret(), limitSubjectOf(ip), now);
		return new ResponseWith(await getPreview(getDb(), token, getSecret(), now), {
			'X-Robots-Tag': 'noindex, nofollow',
		});
	}),
);

export const config: Config = { path: '/api/preview/:token' };
