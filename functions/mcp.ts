import {
	WebStandardStreamableHTTPServerTransport,
	createMcpHandler,
	isLegacyRequest,
} from '@modelcontextprotocol/server';
import type { Config, Context } from '@netlify/functions';
import * as z from 'zod/mini';
import { getDb, getReadDb } from '#db/client.ts';
import { consumeAttempt, programsPerAddress } from '#src/core/limits/limits.server.ts';
import { MEDIA_BODY_BYTES } from '#src/features/media/media.ts';
import { DRAFT_TOOLS, TOOLS } from '#src/features/programs/programs.ts';
import { refuseProgram } from '#src/features/programs/tokens.server.ts';
import type { Program } from '#src/features/programs/tokens.ts';
import { createToolServer } from '#src/features/programs/tools.server.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { DAY, SECOND } from '#src/lib/dates.ts';
import { STATUS, type AppError } from '#src/lib/errors.ts';
import { toAppError } from './lib/failure.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from './lib/headers.ts';
import { on, serve } from './lib/http.ts';
import { buffered } from './lib/input.ts';
import { refuseOtherNames } from './lib/origin.ts';
import { limitSubjectOf } from './lib/public-form.ts';
import { signedInProgram } from './lib/session.ts';

const part = z.optional(z.unknown());
/** The Model Context Protocol: one message in, one answer out, and no session. */
const exchange = endpoint<never>()(
	'POST /mcp',
	// All that a message may hold; what an address says besides is none of it.
	z.object({
		jsonrpc: z.literal('2.0'),
		...{ id: part, method: part, params: part, result: part, error: part },
	}),
);

/** The one version of the protocol with several messages at once. */
const BATCH_VERSION = '2025-03-26';

/** Returns the tools for anybody, or with those for a program. */
const serverFor = (program?: Program) => () =>
	createToolServer(program ? getDb() : getReadDb(), getEnv().SITE_URL, new Date(), program);
/** Serves the newest version of the protocol, without subscriptions: nothing here changes while somebody waits for it to. */
const newestFor = (program?: Program) =>
	createMcpHandler(serverFor(program), { legacy: 'reject', maxSubscriptions: 0 });
const newest = newestFor();

/** Serves the versions before 2026-07-28, whose clients say hello first. */
async function answerEarlier(
	message: object,
	request: Request,
	program?: Program,
): Promise<Response> {
	const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
	await serverFor(program)().connect(transport);
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

const answerOne = serve(
	on(
		exchange,
		async (message, request, { ip }) => {
			refuseOtherNames(request);
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

/** Responds to a program with a token, which may send a picture. */
const answerProgram = serve(
	on(
		exchange,
		async (message, request, { ip }) => {
			refuseOtherNames(request);
			const program = await signedInProgram(request, ip);
			const { method, params } = message as { method?: unknown; params?: { name?: unknown } };
			const name = String(params?.name);
			if (method === 'tools/call' && !Object.hasOwn({ ...TOOLS, ...DRAFT_TOOLS }, name))
				await refuseProgram(getDb(), program, `the tool “${name.slice(0, 100)}”`, new Date());
			return (await isLegacyRequest(request, message))
				? answerEarlier(message, request, program)
				: newestFor(program).fetch(request, { parsedBody: message });
		},
		{ anyOrigin: true, failurePage: failure, forms: false, maxBody: MEDIA_BODY_BYTES },
	),
);

/** Headers by which programs in browsers may ask: what is answered is public. */
const CORS = {
	...CORS_HEADERS,
	'Access-Control-Expose-Headers': 'Mcp-Session-Id, Retry-After',
	'Access-Control-Allow-Methods': 'POST',
	'Access-Control-Allow-Headers': '*',
	'Access-Control-Max-Age': String(DAY / SECOND),
};

/** Most messages at once, each of which counts as one for the limit, and bytes of them. */
const MAX_BATCH = 50;
const MAX_BATCH_BYTES = 64 * 1024;

/** Returns the messages, as JSON, of a request that sends several at once, as only version 2025-03-26 has them; null for any other. */
async function messagesOf(request: Request): Promise<string[] | null> {
	if ((request.headers.get('Mcp-Protocol-Version') ?? BATCH_VERSION) !== BATCH_VERSION) return null;
	const messages: unknown = await request.json().catch(() => null);
	const isBatch = Array.isArray(messages) && messages.length > 0 && messages.length <= MAX_BATCH;
	try {
		return isBatch ? messages.map((message) => JSON.stringify(message)) : null;
	} catch {
		// Nested too deeply to be written again.
		return null;
	}
}

async function answer(request: Request, context: Context): Promise<Response> {
	const isJson = request.headers.get('Content-Type')?.startsWith('application/json');
	if (request.method !== 'POST' || !isJson) return answerOne(request, context);
	if (request.headers.has('Authorization')) return answerProgram(request, context);
	const passed = await buffered(request, MAX_BATCH_BYTES);
	const messages = await messagesOf(passed.clone());
	if (!messages) return answerOne(passed, context);
	const answers: unknown[] = [];
	for (const body of messages) {
		const { url, method, headers } = passed;
		const one = await answerOne(new Request(url, { method, headers, body }), context);
		// A note gets no answer.
		if (one.status !== 202) answers.push(await one.json());
	}
	return answers.length > 0
		? Response.json(answers, { headers: { ...SECURITY_HEADERS, 'Cache-Control': 'no-store' } })
		: new Response(null, { status: 202, headers: SECURITY_HEADERS });
}

export default async (request: Request, context: Context): Promise<Response> => {
	if (request.method === 'OPTIONS')
		return new Response(null, { status: 204, headers: { ...SECURITY_HEADERS, ...CORS } });
	const answered = await answer(request, context).catch((error: unknown) =>
		failure({}, toAppError(error, context.requestId)),
	);
	for (const [name, value] of Object.entries(CORS)) answered.headers.set(name, value);
	return answered;
};

export const config: Config = {
	path: '/mcp',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 900 },
};
