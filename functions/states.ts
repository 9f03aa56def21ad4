import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/states/states.api.ts';
import { listStates } from '#src/features/states/states.server.ts';
import { on, serve } from './lib/http.ts';

export default serve(on(api.listStates, () => listStates(getReadDb()), { cache: ['states'] }));

export const config: Config = { path: '/api/states' };
