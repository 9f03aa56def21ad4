import fc from 'fast-check';

/** The part of JSON Schema that Zod writes for our inputs. */
export type JsonSchema = {
	type?: string | string[];
	enum?: unknown[];
	const?: unknown;
	anyOf?: JsonSchema[];
	properties?: Record<string, JsonSchema>;
	required?: string[];
	items?: JsonSchema;
	format?: string;
	minLength?: number;
	maxLength?: number;
	minimum?: number;
	maximum?: number;
};

/** Endpoint that a request is made for; `schema` is that of its input. */
export type Target = { method: string; path: string; schema?: JsonSchema };

/**
 * Values that lead somewhere, by the name of the field, or `media/id` for the id in a path below `media`: ids that are
 * there, links that were signed. Lists are never empty.
 */
export type Pools = Record<string, string[]>;

/** A request before it is sent. `body` is sent as it is. */
export type Attempt = {
	method: string;
	/** Encoded path with its query. */
	address: string;
	headers: Record<string, string>;
	body: string | Uint8Array<ArrayBuffer> | undefined;
	ip: string;
	/** Whether a request is sent with the cookie of the admin's session. */
	signedIn: boolean;
};

const HOSTILE_TEXTS = [
	'',
	' ',
	'\0',
	'a\0b',
	'\ud800',
	'\udfff\ud800 halves',
	'\u202Egnissim si thgir ot tfel',
	'\u0627\u0644\u0644\u063a\u0629',
	'👩‍👩‍👧‍👦'.repeat(40),
	`e${'\u0301'.repeat(400)}`,
	'\uFEFF\u200B\u2028\u2029',
	'\r\n.\r\nRCPT TO:<x@example.com>',
	'a\r\nSet-Cookie: admin=1',
	'../../../etc/passwd',
	'..%2f..%2fpackage.json',
	'%252e%252e%252f',
	'%00',
	'..\\..\\boot.ini',
	"' OR 1=1 --",
	"'; DROP TABLE posts; --",
	'" OR ""="',
	'NEAR(a b, 5)',
	'"unclosed',
	'a AND',
	'title:x OR body:^y*',
	'-a +b {c d}:',
	'*',
	'%',
	'_%\\',
	'<script>alert(1)</script>',
	'<img src=x onerror=alert(1)>&&&&<',
	'&'.repeat(20_000),
	'__proto__',
	'constructor',
	'toString',
	'null',
	'undefined',
	'NaN',
	'true',
	'-1',
	'0',
	'1e309',
	'9007199254740993',
	'1.5',
	'0x10',
	'+275760-09-13T00:00:00.000Z',
	'-271821-04-20',
	'0000-01-01',
	'2026-02-30T25:61:61Z',
	'a'.repeat(101),
	'é'.repeat(256),
	'x'.repeat(2001),
	'y'.repeat(5001),
	'z '.repeat(26_000),
	'a@b',
	'a@b.co\nBcc: other@example.com',
	`${'a'.repeat(244)}@example.com`,
	'"a b"@example.com',
	'ü@example.com',
	'READER@EXAMPLE.COM ',
	'a@example.com,b@example.com',
];

const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

const hostileText = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 120 }) },
);
const hostile: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 4, arbitrary: hostileText },
	{ weight: 1, arbitrary: fc.integer() },
	{ weight: 1, arbitrary: fc.double() },
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
	{
		weight: 2,
		arbitrary: fc.constantFrom<unknown>(
			null,
			true,
			false,
			0,
			-1,
			0.5,
			1e308,
			2 ** 53,
			-(2 ** 63),
			[],
			[[]],
			[null],
			{},
			{ length: 5 },
			{ toString: 1, valueOf: 2 },
			{ then: 'x' },
			Array.from({ length: 300 }, () => 'a'),
			deep(900),
		),
	},
);

/** Returns what the schema takes, as often as not at its limits. */
function fitting(schema: JsonSchema, name: string, pools: Pools): fc.Arbitrary<unknown> {
	if (schema.enum) return fc.constantFrom(...schema.enum);
	if (schema.const !== undefined) return fc.constant(schema.const);
	if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one, name, pools)));
	const types: string[] = [schema.type ?? 'string'].flat();
	const [type = 'string'] = types;
	if (types.length > 1) {
		return fc.oneof(...types.map((one) => fitting({ ...schema, type: one }, name, pools)));
	}
	switch (type) {
		case 'null':
			return fc.constant(null);
		case 'boolean':
			return fc.boolean();
		case 'integer':
		case 'number':
			return fc.integer({ min: schema.minimum ?? 1, max: Math.min(schema.maximum ?? 9, 1e9) });
		case 'array':
			return fc.array(
				fitting(schema.items ?? {}, pools[name] ? name : name.replace(/s$/, ''), pools),
				{
					minLength: 1,
					maxLength: 3,
				},
			);
		case 'object':
			return object(schema, pools, (one, field) => fitting(one, field, pools));
		default:
			return text(schema, pools[name]);
	}
}

function text({ format, minLength = 0, maxLength = 300 }: JsonSchema, pool: string[] = []) {
	if (pool.length > 0) return fc.constantFrom(...pool);
	if (format === 'email') return fc.nat(99_999).map((number) => `reader-${number}@example.com`);
	if (format === 'date-time')
		return fc.constantFrom('2026-01-02T03:04:05Z', '1969-12-31T23:59:59.999Z');
	if (format === 'uuid') return fc.uuid({ version: 4 });
	const longest = Math.min(maxLength, 60_000);
	return fc.oneof(
		{
			weight: 4,
			arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(longest, 40) }),
		},
		{ weight: 1, arbitrary: fc.constantFrom('w'.repeat(longest), '𝒘'.repeat(longest / 2)) },
	);
}

function object(
	{ properties = {}, required = [] }: JsonSchema,
	_pools: Pools,
	each: (schema: JsonSchema, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
	const model = Object.fromEntries(
		Object.entries(properties).map(([name, one]) => [name, each(one, name)]),
	);
	return fc.record(model, {
		requiredKeys: required.filter((name) => name in model),
		noNullPrototype: true,
	});
}

/** Bodies that no JSON of ours is. */
const BODIES: [type: string, body: string | Uint8Array<ArrayBuffer>][] = [
	['application/json', ''],
	['application/json', '{'],
	['application/json', '{"a":1}{"b":2}'],
	['application/json', '[1,2,3]'],
	['application/json', 'null'],
	['application/json', '"text"'],
	['application/json', '{"email":"a@example.com","email":{"$ne":null}}'],
	['application/json', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
	['application/json', `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`],
	['application/json', '{"a":1e400,"b":-0}'],
	['application/json', `{"email":"${'a'.repeat(70_000)}"}`],
	['application/json', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
	['application/json', new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
	['application/json', new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
	['application/json', new Uint8Array(200).map((_, index) => (index * 37) % 256)],
	['application/json; charset=utf-16', '{}'],
	['application/json; charset=nonsense', '{}'],
	['text/plain', '{"email":"plain@example.com"}'],
	['application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "c">]><a>&b;</a>'],
	['multipart/form-data', '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\na\r\n--x--'],
	['multipart/form-data; boundary=', 'nothing'],
	['application/x-www-form-urlencoded', '%'],
	['application/x-www-form-urlencoded', '%ff%fe=%00&&&===&email=%E0%A4%A'],
	['application/x-www-form-urlencoded', 'email=a%40example.com&email=b%40example.com'],
	[
		'application/x-www-form-urlencoded',
		'__proto__=1&constructor=2&fields[__proto__]=3&fields[name]=x',
	],
	['', '{"email":"untyped@example.com"}'],
	['*/*;q=', '{}'],
];

const HEADERS: Record<string, string>[] = [
	{ Origin: 'https://elsewhere.example' },
	{ Origin: 'null' },
	{ Origin: 'nonsense' },
	{ Origin: '' },
	{ 'Sec-Fetch-Site': 'cross-site' },
	{ 'Sec-Fetch-Site': 'none' },
	{ 'Content-Length': '-1' },
	{ 'Content-Length': 'many' },
	{ 'Content-Length': '99999999999' },
	{ 'Content-Encoding': 'gzip' },
	{ 'If-None-Match': '*' },
	{ 'If-None-Match': `${'W/"x",'.repeat(500)}"` },
	{ 'If-None-Match': '"\\"' },
	{ Cookie: `a=${'b'.repeat(30_000)}` },
	{ Cookie: 'groundtruth_session=.; groundtruth_device=..' },
	{ Cookie: 'groundtruth_session=%00%ff.\xe9' },
	{ Cookie: ';;;=;groundtruth_session' },
	{ Accept: 'text/html' },
	{ Accept: 'text/html;q=0.1, \xff' },
	{ 'User-Agent': '' },
	{ 'User-Agent': `Mozilla/5.0 ${'x'.repeat(5000)}` },
	{ Range: 'bytes=0-0,5-1,-' },
	{ 'X-Forwarded-For': '1:2:3:4:5:6:7:8::9, nobody' },
	{ 'X-Forwarded-Proto': 'gopher' },
	{ 'X-HTTP-Method-Override': 'DELETE' },
	{ Host: 'elsewhere.example' },
	{ 'Accept-Language': '*;q=2' },
	{ Authorization: 'Basic \xfe\xff' },
];

const QUERIES = [
	'',
	'%',
	'%ZZ=%',
	'a=%ff%fe',
	'__proto__=1&__proto__[a]=2',
	'constructor=1&toString=2',
	'q=1&q=2&q=3',
	'limit=1&limit=100',
	'limit=1e2',
	'limit=%2B5',
	'page=1e9',
	'page=-1',
	'sort=-',
	'a[]=1&a[0]=2&a.b=3',
	'&'.repeat(500),
	'='.repeat(500),
	`q=${'a'.repeat(7000)}`,
	`q=${'%F0%9F%92%A9'.repeat(200)}`,
	'token=&choice=',
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

/** Requests of one endpoint: one in three is right, and each of the others wrong in its own way. */
export function attempts(target: Target, pools: Pools): fc.Arbitrary<Attempt> {
	const { schema = {}, path } = target;
	const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
	const rest = Object.fromEntries(
		Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name)),
	);
	const input = { properties: rest, required: schema.required ?? [] };
	const right = object(input, pools, (one, name) => fitting(one, name, pools));
	const wrong = object({ properties: rest }, pools, (one, name) =>
		fc.oneof(
			{ weight: 3, arbitrary: fitting(one, name, pools) },
			{ weight: 2, arbitrary: hostile },
		),
	);
	const param = (name: string) =>
		fc.oneof(
			{
				weight: 4,
				arbitrary: fc.constantFrom(
					...(pools[`${new RegExp(`(\\w+)/:${name}`).exec(path)?.[1]}/${name}`] ??
						pools[name] ?? ['']),
				),
			},
			{ weight: 1, arbitrary: hostileText },
		);
	return fc
		.record({
			params: fc.record(Object.fromEntries(names.map((name) => [name, param(name)]))),
			splat: hostileText,
			input: fc.oneof(
				{ weight: 2, arbitrary: right },
				{ weight: 2, arbitrary: wrong },
				{ weight: 1, arbitrary: fc.dictionary(hostileText, hostile, { maxKeys: 4 }) },
			),
			form: fc.constantFrom(
				'json',
				'json',
				'json',
				'json',
				'poisoned',
				'urlencoded',
				'page',
				'raw',
			),
			raw: fc.constantFrom(...BODIES),
			query: fc.oneof(
				{ weight: 4, arbitrary: fc.constant('') },
				{ weight: 1, arbitrary: fc.constantFrom(...QUERIES) },
			),
			headers: fc.oneof(
				{ weight: 3, arbitrary: fc.constant({}) },
				{ weight: 1, arbitrary: fc.constantFrom(...HEADERS) },
			),
			method: fc.oneof(
				{ weight: 30, arbitrary: fc.constant(target.method) },
				{ weight: 1, arbitrary: fc.constantFrom(...METHODS) },
			),
			host: fc.oneof(
				{ weight: 9, arbitrary: fc.nat(0xffffff) },
				{ weight: 1, arbitrary: fc.constant(1) },
			),
			signedIn: fc.oneof(
				{ weight: 15, arbitrary: fc.constant(true) },
				{ weight: 1, arbitrary: fc.constant(false) },
			),
		})
		.map(({ params, splat, input, form, raw, query, method, host, ...rest }) => {
			const filled = path
				.replace(/:(\w+)/g, (_, name: string) => encode(params[name] ?? ''))
				.replace('*', () => encode(splat));
			const isRead = method === 'GET' || method === 'HEAD';
			const inQuery = isRead || method === 'DELETE' ? pairs(input).toString() : '';
			const search = [inQuery, query].filter(Boolean).join('&');
			const { type, body, accept } = isRead ? {} : bodyOf(form, input, raw);
			const headers = {
				'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
				...(type && { 'Content-Type': type }),
				...(accept && { Accept: accept }),
				...rest.headers,
			};
			return {
				method,
				address: search ? `${filled}?${search}` : filled,
				headers,
				body,
				ip: `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`,
				signedIn: rest.signedIn,
			};
		});
}

function bodyOf(
	form: string,
	input: Record<string, unknown>,
	[rawType, raw]: (typeof BODIES)[number],
): { type?: string; body?: Attempt['body']; accept?: string } {
	const type = 'application/json';
	switch (form) {
		case 'raw':
			return { type: rawType, body: raw };
		case 'poisoned': {
			const inner = JSON.stringify(input).slice(1);
			const poison = '"__proto__":{"approved":false,"isAdmin":true},"constructor":{"prototype":{}}';
			return { type, body: `{${poison}${inner === '}' ? '' : ','}${inner}` };
		}
		case 'urlencoded':
		case 'page':
			return {
				type: 'application/x-www-form-urlencoded',
				body: pairs(input).toString(),
				...(form === 'page' && { accept: 'text/html' }),
			};
		default:
			return { type, body: JSON.stringify(input) };
	}
}

/** An input as a form or a query has it. */
function pairs(input: Record<string, unknown>): URLSearchParams {
	const all = new URLSearchParams();
	for (const [name, value] of Object.entries(input)) {
		for (const one of [value].flat()) {
			const isPlain = typeof one === 'string' || typeof one === 'number';
			if (one !== undefined) all.append(name, isPlain ? String(one) : JSON.stringify(one));
		}
	}
	return all;
}

const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed());
