/** Starts a server on a folder of its own, which it empties first: a run of tests begins here, and nothing else does. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { NODE_OPTIONS } from '#tests/support/no-downloads.mjs';

// Another run is going on where somebody listens, and keeps its files.
const port = createServer().listen(Number(process.env['PORT']), process.env['HOST']);
await once(port, 'listening');
await once(port.close(), 'close');
await rm(process.env['E2E_FOLDER']!, { recursive: true, force: true });
process.env['NODE_OPTIONS'] = NODE_OPTIONS;
await import('#src/cli/start.mjs');
