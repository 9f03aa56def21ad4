import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { FRAME_HEADERS, FRAME_HTML, FRAME_PATH } from '#src/features/runs/frame.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { ResponseWith } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

const showFrame = endpoint<string>()({ method: 'GET', path: FRAME_PATH, input: z.object({}) });

/** The document of the frame in which readers run programs: a function, because each page of netlify.toml forbids frames. */
export default serve(on(showFrame, async () => new ResponseWith(FRAME_HTML, FRAME_HEADERS)));

export const config: Config = { path: '/run-frame' };
