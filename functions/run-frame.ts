import type { Config } from '@netlify/functions';
import { FRAME_HEADERS, FRAME_HTML, FRAME_PATH } from '#src/features/runs/frame.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { ResponseWith } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

const showFrame = endpoint<string>()(`GET ${FRAME_PATH}`, nothing);

/** The document of the frame in which readers run programs: a function, because each page of netlify.toml forbids frames. */
export default serve(on(showFrame, async () => new ResponseWith(FRAME_HTML, FRAME_HEADERS)));

export const config: Config = { path: '/run-frame' };
