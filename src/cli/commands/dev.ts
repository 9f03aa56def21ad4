import { startDev } from '#src/cli/dev.ts';
import { onShutdown } from '#src/cli/shutdown.ts';
import { openSite, prepareSite } from '#src/cli/site.ts';
import { listen } from '#src/host/server.ts';
import { getEnv } from '#src/lib/env.ts';

/** Serves the site from its sources. */
export async function dev(): Promise<void> {
	const { HOST, PORT, TRUST_PROXY } = getEnv();
	// Fails early, with the same message as the server.
	await (await listen({ host: HOST, port: PORT, trustProxy: TRUST_PROXY })).close();
	const db = await prepareSite();
	const server = await startDev(db);
	onShutdown(async () => {
		await server.stop();
		db.$client.close();
	});
	await openSite(db);
}
