import { setDb } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import { stopDelivering } from '#functions/lib/deliver.ts';
import { loadFunctions } from '#src/build/functions.ts';
import { Listing } from '#src/build/listing.ts';
import { routeFunctions } from '#src/host/router.ts';
import { listen } from '#src/host/server.ts';
import { Site } from '#src/host/static-site.ts';
import { getEnv } from '#src/lib/env.ts';

// The project's functions behind its own server, without a site, in a process of their own.
const { HOST, PORT, TRUST_PROXY, DATABASE_URL } = getEnv();
setDb(await openDb(DATABASE_URL));
// As on the server, whose mail another process sends.
stopDelivering();
const server = await listen({ host: HOST, port: PORT, trustProxy: TRUST_PROXY });
const functions = routeFunctions(await loadFunctions());
const nothing = { listing: Listing.of([]), locate: () => '' };
server.setContent({ site: await Site.open(nothing, ''), functions });
server.open();
process.send!(server.port);
process.once('disconnect', () => process.exit());
