import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadFunctions } from '#src/build/functions.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { indexEntries } from '#src/features/search/entries.server.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { routeFunctions } from '#src/host/router.ts';
import { listen, type Server } from '#src/host/server.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';
import { storedSite } from '#tests/support/stored-site.ts';

let folder: string;
let server: Server;
let address: string;

beforeAll(async () => {
	const db = await useTestDb();
	await makePost(db, {
		title: 'A filter for a moving target',
		slug: 'kalman',
		content:
			'<p>Radar sees the target twice a second.</p><h2 id="the-gain">The gain</h2><p>The innovation is weighed by its covariance.</p><h2 id="limits">Limits</h2><p>Noise has a shape.</p>',
	});
	await renderStalePosts(db);
	await indexEntries(db, { site: await readSite(db, new Date()), issues: [] });
	folder = await mkdtemp(join(tmpdir(), 'mcp-'));
	const pages = join(folder, 'site');
	await mkdir(pages);
	await writeFile(join(pages, 'index.html'), '<h1>Home</h1>');
	server = await listen({ host: '127.0.0.1', port: 0, trustProxy: false });
	address = `http://127.0.0.1:${server.port}`;
	server.setContent({
		site: await storedSite(pages),
		functions: routeFunctions(await loadFunctions()),
	});
	server.open();
});
afterAll(async () => {
	await server.close();
	await rm(folder, { recursive: true, force: true });
});
beforeEach(() =>
	setEnv(
		parseEnv({
			SITE_URL: address,
			SECRET: 'a secret that only the tests know',
			DATABASE_URL: ':memory:',
		}),
	),
);

const suite = createRequire(import.meta.url).resolve(
	'@modelcontextprotocol/conformance/dist/index.js',
);

type Check = { id: string; status: string; errorMessage?: string };

/** Has the protocol's own suite ask the server. Returns its checks by scenario. */
async function conform(version: string): Promise<Map<string, Check[]>> {
	const out = join(folder, version);
	const ask = ['server', '--url', `${address}/mcp`, '--spec-version', version];
	const child = spawn(process.execPath, [suite, ...ask, '--suite', 'all', '-o', out], {
		stdio: 'ignore',
	});
	await once(child, 'close');
	const results = await readdir(out);
	return new Map(
		await Promise.all(
			results.map(async (name) => {
				const [, scenario = ''] = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name) ?? [];
				const checks = JSON.parse(await readFile(join(out, name, 'checks.json'), 'utf8'));
				return [scenario, checks as Check[]] as const;
			}),
		),
	);
}

/** Why a check cannot succeed here: the site's tools only read, so that it offers nothing of what such a check asks for. */
const DOES_NOT_APPLY = [
	// Prompts, resources, completion, log levels: what a server may offer, and this one does not name among its abilities.
	/Method not found/,
	// Checks of pictures, sound, progress, elicitation, sampling and headers call tools that a server made for them has.
	/\b(test_\w+|json_schema_2020_12_tool)'? not found/,
	/^Not testable: server (does not list the diagnostic tool|exposes no tool with x-mcp-header)/,
	/could not get initial InputRequiredResult|^Expected InputRequiredResult/,
	// Lists of tools change with the program, so nothing is to be subscribed to, and a subscription is refused.
	/^Expected first frame method to be 'notifications\/subscriptions\/acknowledged', got 'undefined'/,
	/^subscriptions\/listen stream carried no notification frames/,
];

test.each([
	[
		'2025-11-25',
		['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list'],
		['server-session-lifecycle', 'server-sse-multiple-streams', 'server-sse-polling'],
	],
	[
		'2026-07-28',
		[
			'dns-rebinding-protection',
			'http-header-validation',
			'input-required-result-ignore-extra-params',
			'input-required-result-missing-input-response',
			'input-required-result-unsupported-methods',
			'input-required-result-validate-input',
			'sep-2164-resource-not-found',
			'server-sse-multiple-streams',
			'tools-list',
		],
		[],
	],
])(
	'the conformance suite of the protocol finds nothing wrong, version %s',
	async (version, whole, empty) => {
		const scenarios = [...(await conform(version))].toSorted(([a], [b]) => (a < b ? -1 : 1));
		const failures = scenarios.flatMap(([scenario, checks]) =>
			checks
				.filter(({ status }) => status === 'FAILURE')
				.map(({ id, errorMessage = '' }) => ({ scenario, id, errorMessage })),
		);
		expect(
			failures.filter(({ errorMessage }) => !DOES_NOT_APPLY.some((why) => why.test(errorMessage))),
		).toEqual([]);
		const failed = new Set(failures.map(({ scenario }) => scenario));
		const passed = scenarios.filter(([scenario]) => !failed.has(scenario));
		const isChecked = ([, checks]: (typeof passed)[number]) =>
			checks.some(({ status }) => status === 'SUCCESS');
		expect(passed.filter(isChecked).map(([scenario]) => scenario)).toEqual(whole);
		// Sessions and streams, which an answer without them leaves nothing to check of.
		expect(passed.filter((one) => !isChecked(one)).map(([scenario]) => scenario)).toEqual(empty);
	},
	60_000,
);

/** Connects the official client: of this version of the protocol, or of those before, with its package of that time. */
async function connect(version: string) {
	const url = new URL('/mcp', address);
	const who = { name: 'test', version: '1' };
	if (version === '2026-07-28') {
		const client = new Client(who, { versionNegotiation: { mode: { pin: version } } });
		await client.connect(new StreamableHTTPClientTransport(url));
		return client;
	}
	const client = new EarlierClient(who);
	await client.connect(new EarlierTransport(url));
	return client;
}

test.each(['2026-07-28', '2025-11-25'])(
	'a client of version %s finds an article and quotes its section',
	async (version) => {
		const client = await connect(version);
		const ask = async (name: string, input: Record<string, unknown>) =>
			(await client.callTool({ name, arguments: input })).structuredContent as {
				page: string;
				results: { url: string }[];
				markdown: string;
			};
		const { results } = await ask('search', { q: 'covariance of the innovation' });
		const [, slug, section] = /^\/blog\/(.+)#(.+?)(?::~:|$)/.exec(results[0]!.url)!;
		expect(await ask('get_article', { slug, section })).toEqual({
			page: `${address}/blog/kalman#the-gain`,
			markdown: '## The gain\n\nThe innovation is weighed by its covariance.',
		});
		await client.close();
	},
);

test('sixty messages at once are each answered with their own number', async () => {
	const answers = await Promise.all(
		Array.from({ length: 60 }, async (_, id) => {
			const answer = await fetch(`${address}/mcp`, {
				method: 'POST',
				body: JSON.stringify({
					...{ jsonrpc: '2.0', id, method: 'tools/call' },
					params: { name: 'search', arguments: { q: id % 2 ? 'covariance' : 'radar' } },
				}),
				headers: {
					'Content-Type': 'application/json',
					Accept: 'application/json, text/event-stream',
				},
			});
			const { id: of, result } = (await answer.json()) as {
				id: number;
				result: { structuredContent: { results: object[] } };
			};
			return [of, result.structuredContent.results.length];
		}),
	);
	expect(answers).toEqual(answers.map((_, id) => [id, 1]));
});
