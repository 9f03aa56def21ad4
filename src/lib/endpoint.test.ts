import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { call, endpoint, parse } from './endpoint.ts';
import { AppError, messageOf, MESSAGES } from './errors.ts';

const read = endpoint<{ ok: true }>()(
	'GET /api/things/:id/parts',
	z.object({
		id: z.string(),
		tags: z.optional(z.array(z.string())),
		limit: z.optional(z.number()),
	}),
);
const write = endpoint<{ ok: true }>()(
	'PUT /api/things/:id',
	z.object({
		id: z.string(),
		name: z.string().check(z.minLength(1, 'Name it'), z.maxLength(2, 'Too long')),
	}),
);

/** A server that always gives this answer, and remembers what it was asked. */
function answering(make: () => Response | Promise<Response>) {
	const asked: Request[] = [];
	const fetcher: typeof fetch = async (input, init) => {
		asked.push(new Request(new URL(input as string, 'http://test'), init));
		return make();
	};
	return { fetcher, asked };
}

const failure = (body: string | object, init: ResponseInit) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return call(read, { id: '1' }, answering(() => new Response(text, init)).fetcher);
};

test('a read puts its input into path and query', async () => {
	const { fetcher, asked } = answering(() => Response.json({ ok: true }));
	expect(
		await call(read, { id: 'a/b?c', tags: ['x', 'y & z'], limit: undefined }, fetcher),
	).toEqual({ ok: true });
	expect(asked[0]!.url).toBe('http://test/api/things/a%2Fb%3Fc/parts?tags=x&tags=y+%26+z');
	expect(asked[0]!.body).toBeNull();
});

test('a write puts the rest of its input into a JSON body', async () => {
	const { fetcher, asked } = answering(() => Response.json({ ok: true }));
	await call(write, { id: '1', name: 'n' }, fetcher);
	expect([asked[0]!.method, asked[0]!.url]).toEqual(['PUT', 'http://test/api/things/1']);
	expect(asked[0]!.headers.get('Content-Type')).toBe('application/json');
	expect(await asked[0]!.json()).toEqual({ name: 'n' });
});

test("our own failures arrive as they were sent, with their fields' messages", async () => {
	const error = { code: 'validation', message: MESSAGES.validation, fields: { name: 'Name it' } };
	const caught = await failure({ error }, { status: 400 }).catch((one: unknown) => one);
	expect(caught).toBeInstanceOf(AppError);
	expect(caught).toMatchObject(error);
	expect(messageOf(caught)).toBe('Name it');
});

test.each([
	['<h1>Bad gateway</h1>', { status: 502 }, 'upstream', '502: <h1>Bad gateway</h1>'],
	['', { status: 404, statusText: 'Not Found' }, 'not_found', '404: Not Found'],
	['{"message":"other"}', { status: 418 }, 'unknown', '418: {"message":"other"}'],
	['null', { status: 500 }, 'server', '500: null'],
	['{"error":"text"}', { status: 500 }, 'server', '500: {"error":"text"}'],
])(
	'a failure that is not ours is its status and its text: %j',
	async (body, init, code, message) => {
		await expect(failure(body, init)).rejects.toMatchObject({ code, message });
	},
);

test('no connection and no answer in time have their own words', async () => {
	const network = answering(() => Promise.reject(new TypeError('fetch failed')));
	await expect(call(read, { id: '1' }, network.fetcher)).rejects.toMatchObject({
		code: 'network',
		message: MESSAGES.network,
	});
	const timeout = answering(() => Promise.reject(new DOMException('', 'TimeoutError')));
	await expect(call(read, { id: '1' }, timeout.fetcher)).rejects.toMatchObject({
		code: 'timeout',
		message: MESSAGES.timeout,
	});
});

test('an answer that is no JSON is one more failure with words of its own', async () => {
	const { fetcher } = answering(() => new Response('<html>'));
	await expect(call(read, { id: '1' }, fetcher)).rejects.toMatchObject({
		code: 'unknown',
		message: MESSAGES.unknown,
	});
});

test('input of the wrong shape has one message per field, the first one', () => {
	expect(() => parse(write.input, { id: 1, name: '' })).toThrow(
		expect.objectContaining({
			code: 'validation',
			fields: { id: expect.any(String), name: 'Name it' },
		}),
	);
	expect(parse(write.input, { id: '1', name: 'n', more: true })).toEqual({ id: '1', name: 'n' });
});

test('what is no error of ours is unknown to a visitor', () => {
	expect(messageOf(new TypeError('x is not a function'))).toBe(MESSAGES.unknown);
	expect(messageOf(new AppError('conflict', 'Changed meanwhile'))).toBe('Changed meanwhile');
});
