import { onShutdown } from '#src/cli/shutdown.ts';
import { openSite, prepareSite } from '#src/cli/site.ts';
import { addressOf, listen } from '#src/host/server.ts';
import { getEnv } from '#src/lib/env.ts';
import { getRequestListener } from '@hono/node-server';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { AstroIntegration } from 'astro';
import type { Db } from '#db/client.ts';
import { claimBuilds, endBuilds } from '#src/core/builds/builds.server.ts';
import { updateVectors } from '#src/core/meaning/model.server.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { listIssues } from '#src/features/newsletter/issues.server.ts';
import { indexEntries } from '#src/features/search/entries.server.ts';
import { loadSite } from '#src/features/site/load.server.ts';
import { ROOT, siteFolder } from '#src/build/builds.ts';
import { loadFunctions } from '#src/build/functions.ts';
import { routeFunctions } from '#src/host/router.ts';

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

const SCHEMA = join(ROOT, 'db/schema.ts');
const SCHEMA_CHANGED = `
db/schema.ts has changed. Where that is a change of tables or columns, pages and functions fail until the database has it, too:
  npm run db:generate -- --name what_changes
  npm run db:migrate
`;

/**
 * Starts Astro's dev server with the functions on the same port. An edited function applies from the next
 * request on.
 */
async function startDev(db: Db): Promise<{ stop(): Promise<void> }> {
	const { HOST, PORT, DATABASE_URL } = getEnv();
	process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
	const { dev } = await import('astro');
	// As of the start: what is edited later is found in its new form after the next one.
	await indexEntries(db, { site: await loadSite(db, new Date()), issues: await listIssues(db) });
	await updateVectors(db);
	return dev({
		root: ROOT,
		cacheDir: join(siteFolder(DATABASE_URL), 'dev'),
		server: { host: HOST, port: PORT },
		vite: { server: { strictPort: true } },
		integrations: [functionsOf(db)],
	});
}

function functionsOf(db: Db): AstroIntegration {
	return {
		name: 'functions',
		hooks: {
			'astro:server:setup': ({ server }) => {
				server.watcher.on('change', (file) => {
					if (file === SCHEMA) console.warn(SCHEMA_CHANGED);
				});
				const load = (url: URL) => server.ssrLoadModule(fileURLToPath(url));
				server.middlewares.use((incoming, outgoing, next) => {
					const answer = async () => {
						const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
						const functions = routeFunctions(await loadFunctions(load));
						const call = functions.match(pathname, incoming.method ?? 'GET');
						if (!call || call.preferStatic) {
							await renderStalePosts(db);
							return next();
						}
						const client = (await server.ssrLoadModule(
							'/db/client.ts',
						)) as typeof import('#db/client.ts');
						client.setDb(db);
						const { setBuilder } = (await server.ssrLoadModule(
							'/src/core/builds/builder.server.ts',
						)) as typeof import('#src/core/builds/builder.server.ts');
						// Pages are rendered on request, so a change is live at once.
						const build = () =>
							void claimBuilds(db, new Date()).then((ids) => endBuilds(db, ids, new Date()));
						setBuilder({ build, prewarm: () => {} });
						const address = addressOf(incoming, getEnv().TRUST_PROXY);
						await getRequestListener((request) => functions.call(call, request, address))(
							incoming,
							outgoing,
						);
					};
					answer().catch(next);
				});
			},
		},
	};
}
