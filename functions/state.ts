import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/states/states.api.ts';
import { getState } from '#src/features/states/states.server.ts';
import { AppError } from '#src/lib/errors.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.getState,
		async ({ slug }) => {
			const state = await getState(getReadDb(), slug);
			if (!state) throw new AppError('not_found', 'State not found');
			return state;
		},
		{ cache: ['states'] },
	),
);

export const config: Config = { path: '/api/states/:slug' };
