import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { getDb, getReadDb } from '#db/client.ts';
import { consumeAttempt, programsPerAddress } from '#src/core/limits/limits.server.ts';
import { createToolServer } from '#src/features/programs/tools.server.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { on, serve } from './lib/http.ts';
import { refuseOtherOrigins } from './lib/origin.ts';
import { limitSubjectOf } from './lib/public-form.ts';

/** The Model Context Protocol: one message in, one answer out, and no session. */
const exchange = endpoint<never>()({
	method: 'POST',
	path: '/mcp',
	input: z.looseObject({ jsonrpc: z.literal('2.0') }),
});

export default serve(
	on(
		exchange,
		async (message, request, { ip }) => {
			refuseOtherOrigins(request);
			const now = new Date();
			await consumeAttempt(getDb(), programsPerAddress, getSecret(), limitSubjectOf(ip), now);
			const server = createToolServer(getReadDb(), getEnv().SITE_URL, now);
			const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
			await server.connect(transport);
			return transport.handleRequest(request, { parsedBody: message });
		},
		{ anyOrigin: true },
	),
);

export const config: Config = {
	path: '/mcp',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 900 },
};
