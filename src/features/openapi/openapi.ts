import * as z from 'zod/mini';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { STATUS } from '#src/lib/errors.ts';
import { site } from '#src/site.ts';

type Json = Record<string, unknown>;

/** Descriptions of failures by code. */
const FAILURES = {
	validation: 'The input breaks a rule; `fields` has a message for each field at fault.',
	forbidden: 'The request comes from a page of another site (`Origin`, `Sec-Fetch-Site`).',
	not_found: 'There is nothing at this address.',
	too_large: 'The body is longer than 64 KB.',
	unsupported_type: 'The body is of a type that is not described here, or names none.',
	rate_limited: 'There were too many of these from one sender.',
	server: 'A fault on our side. A 503 passes by itself.',
} satisfies Partial<Record<keyof typeof STATUS, string>>;
type Failure = keyof typeof FAILURES;

/** Sections of the API in display order. */
const TAGS = {
	Articles: 'What the blog has published.',
	Comments: 'What readers say about articles.',
	'State guides':
		'Work in artificial intelligence in the 50 US states, each figure with its source.',
	Newsletter: 'Signing up for the letter, the email course and the downloads.',
	Site: 'The site itself.',
};

/** One call of the public API, described for programs and their authors. */
export type Operation<In = unknown, Out = unknown> = {
	endpoint: Endpoint<In, Out>;
	/** Schema of the response, if it is JSON. */
	answer?: z.ZodMiniType<Out>;
	tag: keyof typeof TAGS;
	summary: string;
	description?: string;
	/**
	 * Descriptions and defaults of the input fields, and schemas of what a rule refuses. Tests send the examples, so they must
	 * find something.
	 */
	input?: Record<
		string,
		{
			description: string;
			default?: unknown;
			example?: unknown;
			pattern?: string;
			not?: { pattern: string };
			enum?: readonly string[];
		}
	>;
	/** Schema that the whole body has to pass as well: of fields that depend on each other. */
	body?: Json;
	/** Status of a success, if not the usual one of the method. */
	status?: 200;
	/** Failures besides those of all calls with its method. */
	failures?: Failure[];
	/** Media type of the response, if not JSON. */
	type?: string;
	/** Never cached: no ETag. */
	fresh?: true;
};

/** Describes a call, whose schema of the response must be that of its type. */
export function operation<In, Out>(description: Operation<In, Out>): Operation {
	return description;
}

const introduction =
	() => `Everything that is public on ${site.name}, as JSON. A success answers with the bare value, a failure with \`{ "error": { code, message, fields } }\`.

- Programs of any site may read: GET requests answer with \`Access-Control-Allow-Origin: *\`, and each of them answers HEAD as well.
- Answers with an \`ETag\` are free to ask for again with \`If-None-Match\`.
- A POST takes JSON or a form's encoding and says which in its \`Content-Type\`. Pages of other sites may send none; programs that are no browsers may.
- Times are UTC, in ISO 8601.`;

const ref = (kind: 'schemas' | 'responses' | 'headers', name: string) => ({
	$ref: `#/components/${kind}/${name}`,
});

/** Returns the public API as an OpenAPI 3.1 document. */
export function describeApi(operations: Record<string, Operation>, siteUrl: string) {
	const { answers, schemas } = answersOf(operations);
	const paths: Record<string, Record<string, Json>> = {};
	for (const [name, operation] of Object.entries(operations)) {
		const { method, path } = operation.endpoint;
		const methods = (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {});
		methods[method.toLowerCase()] = {
			operationId: name,
			tags: [operation.tag],
			summary: operation.summary,
			...(operation.description && { description: operation.description }),
			...requestOf(operation),
			responses: responsesOf(operation, answers[name]),
		};
	}
	const failures = Object.entries(FAILURES).map(([code, meaning]) => [code, failure(meaning)]);
	return {
		openapi: '3.1.0',
		info: {
			title: `${site.name} API`,
			version: '1.0.0',
			description: introduction(),
			contact: { name: site.publisher, url: `${siteUrl}/contact` },
		},
		servers: [{ url: siteUrl }],
		security: [],
		tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
		paths,
		components: {
			schemas: { ...schemas, Error: ERROR },
			responses: Object.fromEntries(failures) as Record<Failure, Json>,
			headers: HEADERS,
		},
	};
}

const ERROR = {
	type: 'object',
	properties: {
		error: {
			type: 'object',
			properties: {
				code: { type: 'string', enum: Object.keys(STATUS) },
				message: { type: 'string', description: 'A sentence that can be shown to people.' },
				fields: {
					type: 'object',
					additionalProperties: { type: 'string' },
					description: 'A sentence for each field of the input that breaks a rule.',
				},
			},
			required: ['code', 'message'],
		},
	},
	required: ['error'],
};

const HEADERS = {
	ETag: { description: 'Of this answer, for `If-None-Match`.', schema: { type: 'string' } },
	'Retry-After': {
		description: 'Seconds until another try makes sense, where that is known.',
		schema: { type: 'integer', minimum: 0 },
	},
};

/** Returns JSON Schemas of the responses by operation, and those of the objects that they name. */
function answersOf(operations: Record<string, Operation>) {
	const answers = Object.entries(operations).flatMap(([name, { answer }]) =>
		answer ? [[name, answer] as const] : [],
	);
	const schema = z.toJSONSchema(z.object(Object.fromEntries(answers)), {
		override: ({ jsonSchema }) => {
			// An answer may get more fields.
			if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
			// The format says it shorter.
			if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
		},
	});
	const { properties, $defs } = JSON.parse(
		JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/'),
	) as { properties: Record<string, Json>; $defs: Record<string, Json> };
	return { answers: properties, schemas: $defs };
}

function failure(description: string): Json {
	return {
		description,
		headers: { 'Retry-After': ref('headers', 'Retry-After') },
		content: { 'application/json': { schema: ref('schemas', 'Error') } },
	};
}

/** Returns JSON Schemas of the described input fields. Fields against robots are left out. */
export function fieldsOf({ endpoint, input = {} }: Operation) {
	const schema = z.toJSONSchema(endpoint.input as unknown as z.ZodMiniType, {
		// Input types that a transform hides: email addresses, lists of one.
		io: 'output',
		override: ({ jsonSchema }) => {
			delete jsonSchema.additionalProperties;
			// The pattern is that of an address in lower case; what is sent may be in any.
			if (jsonSchema.format === 'email') jsonSchema.pattern = '^[^@]{1,64}@[^@]+\\.[^@]+$';
		},
	}) as { properties?: Record<string, Json>; required?: string[] };
	return Object.entries(input).map(([name, about]) => {
		const { [name]: field } = schema.properties ?? {};
		const isRequired = schema.required?.includes(name) ?? false;
		return { name, about, isRequired, schema: field, isInPath: endpoint.path.includes(`:${name}`) };
	});
}

/** Returns the schema of a body's field: a list may also be sent as its only entry, as forms do. */
const oneOrList = (schema: Json | undefined) =>
	schema?.['type'] === 'array' ? { anyOf: [schema, schema['items']] } : schema;

/** Describes parameters and body. */
function requestOf(operation: Operation): Json {
	const isRead = operation.endpoint.method === 'GET';
	const fields = fieldsOf(operation);
	const parameters = fields
		.filter(({ isInPath }) => isRead || isInPath)
		.map(({ name, about, isRequired, isInPath, schema }) => ({
			name,
			in: isInPath ? 'path' : 'query',
			required: isRequired,
			description: about.description,
			...(about.example !== undefined && { example: about.example }),
			schema: { ...schema, ...(about.default !== undefined && { default: about.default }) },
		}));
	const sent = fields.filter(({ isInPath }) => !isRead && !isInPath);
	const body = {
		type: 'object',
		properties: Object.fromEntries(
			sent.map(({ name, about, schema }) => [name, { ...oneOrList(schema), ...about }]),
		),
		required: sent.filter(({ isRequired }) => isRequired).map(({ name }) => name),
		...operation.body,
	};
	const nested = sent.filter(({ schema }) => schema?.['type'] === 'object');
	const encoding = Object.fromEntries(
		nested.map(({ name }) => [name, { style: 'deepObject', explode: true }]),
	);
	return {
		...(parameters.length > 0 && { parameters }),
		...(sent.length > 0 && {
			requestBody: {
				required: true,
				content: {
					'application/json': { schema: body },
					'application/x-www-form-urlencoded': {
						schema: body,
						...(nested.length > 0 && { encoding }),
					},
				},
			},
		}),
	};
}

/** Describes the responses by status. */
function responsesOf(operation: Operation, answer: Json | undefined): Json {
	const { endpoint, status, type = 'application/json', fresh, failures = [] } = operation;
	const isRead = endpoint.method === 'GET';
	const success = status ?? (endpoint.method === 'POST' ? 201 : 200);
	const takesQuery = fieldsOf(operation).some(({ isInPath }) => !isInPath);
	const codes: Failure[] = [
		...(takesQuery ? ['validation' as const] : []),
		...(isRead ? [] : (['forbidden', 'too_large', 'unsupported_type'] as const)),
		...failures,
	];
	return {
		[success]: {
			description: success === 201 ? 'Done.' : 'The answer.',
			...(isRead && !fresh && { headers: { ETag: ref('headers', 'ETag') } }),
			content: { [type]: answer ? { schema: answer } : {} },
		},
		...(isRead &&
			!fresh && { 304: { description: 'The answer is the one that `If-None-Match` names.' } }),
		...Object.fromEntries(codes.map((code) => [STATUS[code], ref('responses', code)])),
		'5XX': ref('responses', 'server'),
	};
}
