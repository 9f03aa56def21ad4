import type { Config } from '@netlify/functions';
import { DRAFT_TOOLS, SERVER_VERSION, TOOLS } from '#src/features/programs/programs.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { getEnv } from '#src/lib/env.ts';
import { site } from '#src/site.ts';
import { on, serve } from './lib/http.ts';

/** Tells programs where this site speaks the Model Context Protocol, and what it offers there. */
const describe = endpoint<object>()('GET /.well-known/mcp.json', nothing);

export default serve(
	on(
		describe,
		async () => ({
			name: site.name,
			description: site.description,
			version: SERVER_VERSION,
			transport: { type: 'streamable-http', url: new URL('/mcp', getEnv().SITE_URL).href },
			authentication: { required: false },
			tools: [
				...Object.entries(TOOLS).map(([name, tool]) => ({ name, ...tool })),
				...Object.entries(DRAFT_TOOLS).map(([name, tool]) => ({ name, ...tool, needsToken: true })),
			],
		}),
		{ cache: ['configuration'] },
	),
);

export const config: Config = { path: '/.well-known/mcp.json' };
