import {
	WebStandardStreamableHTTPServerTransport,
	createMcpHandler,
	isLegacyRequest,
} from '@modelcontextprotocol/server';
import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { getDb, getReadDb } from '#db/client.ts';
import { consumeAttempt, programsPerAddress } from '#src/core/limits/limits.server.ts';
import { createToolServer } from '#src/features/programs/tools.server.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { STATUS, type AppError } from '#src/lib/errors.ts';
import { SECURITY_HEADERS } from './lib/headers.ts';
import { on, serve } from './lib/http.ts';
import { refuseOtherOrigins } from './lib/origin.ts';
import { limitSubjectOf } from './lib/public-form.ts';

const part = z.optional(z.unknown());
/** The Model Context Protocol: one message in, one answer out, and no session. */
const exchange = endpoint<never>()({
	method: 'POST',
	path: '/mcp',
	// All that a message may hold; what an address says besides is none of it.
	input: z.object({
		jsonrpc: z.literal('2.0'),
		...{ id: part, method: part, params: part, result: part, error: part },
	}),
});

const createServer = () => createToolServer(getReadDb(), getEnv().SITE_URL, new Date());
/** Serves the newest version of the protocol, without subscriptions: nothing here changes while somebody waits for it to. */
const newest = createMcpHandler(createServer, { legacy: 'reject', maxSubscriptions: 0 });

/** Serves the versions before 2026-07-28, whose clients say hello first. */
async function answerEarlier(message: object, request: Request): Promise<Response> {
	const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
	await createServer().connect(transport);
	return transport.handleRequest(request, { parsedBody: message });
}

/** Codes of JSON-RPC for a message that is none, and for what the protocol leaves to servers. */
const RPC_CODES = { invalid: -32_600, other: -32_000 };

/** Returns a failure as the protocol has it. */
function failure({ id }: Record<string, unknown>, error: AppError): Response {
	const { code, message, retryAfter } = error as AppError & { code: keyof typeof STATUS };
	const rpcCode = code === 'validation' ? RPC_CODES.invalid : RPC_CODES.other;
	return Response.json(
		{
			jsonrpc: '2.0',
			id: typeof id === 'string' || typeof id === 'number' ? id : null,
			error: { code: rpcCode, message },
		},
		{
			status: STATUS[code],
			headers: {
				...SECURITY_HEADERS,
				'Cache-Control': 'no-store',
				...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
			},
		},
	);
}

export default serve(
	on(
		exchange,
		async (message, request, { ip }) => {
			refuseOtherOrigins(request);
			await consumeAttempt(
				getDb(),
				programsPerAddress,
				getSecret(),
				limitSubjectOf(ip),
				new Date(),
			);
			return (await isLegacyRequest(request, message))
				? answerEarlier(message, request)
				: newest.fetch(request, { parsedBody: message });
		},
		{ anyOrigin: true, failurePage: failure, forms: false },
	),
);

export const config: Config = {
	path: '/mcp',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 900 },
};
