import { AppError, type ErrorCode, invalid, MESSAGES, STATUS } from './errors.ts';

/** Any schema with Zod's `safeParse`. */
export type Schema<T> = {
	safeParse(value: unknown): { success: true; data: T } | { success: false; error: SchemaError };
};
type SchemaIssue = { path: PropertyKey[]; message: string; code?: string };
type SchemaError = { issues: SchemaIssue[] };

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One call of the API, declared once for the browser that makes it and the function that serves it. */
export type Endpoint<In, Out> = {
	method: Method;
	/** Path with `:name` parameters, filled from the input. */
	path: string;
	input: Schema<In>;
	/** Never set: carries the type of the response. */
	output?: Out;
};

/** Declares an endpoint whose response is `Out`: `endpoint<Post[]>()('GET /api/posts', input)`. */
export function endpoint<Out>() {
	return <In>(call: `${Method} ${string}`, input: Schema<In>): Endpoint<In, Out> => {
		const space = call.indexOf(' ');
		return { method: call.slice(0, space) as Method, path: call.slice(space + 1), input };
	};
}

/** Parses untrusted input, or throws a `validation` error with one message per field. */
export function parse<T>(schema: Schema<T>, value: unknown): T {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw refusalOf(result.error.issues);
}

function refusalOf(issues: SchemaIssue[]): AppError {
	const fields: Record<string, string> = {};
	for (const { path, message } of issues) fields[path.join('.')] ??= message;
	return invalid(fields);
}

/** Throws a `validation` error where something in an input is longer than the schema allows. */
export function refuseTooLong(schema: Schema<unknown>, value: unknown): void {
	const result = schema.safeParse(value);
	const issues = result.success ? [] : result.error.issues;
	const tooLong = issues.filter(({ code }) => code === 'too_big');
	if (tooLong.length > 0) throw refusalOf(tooLong);
}

/** Time after which a call rejects as `timeout`. */
const TIMEOUT_MS = 20_000;

/** Calls an endpoint. Rejects with an `AppError`, whatever went wrong. */
export async function call<In extends object, Out>(
	{ method, path }: Endpoint<In, Out>,
	input: In,
	fetcher: typeof fetch = fetch,
): Promise<Out> {
	const rest = new Map<string, unknown>(Object.entries(input));
	const url = path.replace(/:(\w+)/g, (_, name: string) => {
		const value = rest.get(name);
		rest.delete(name);
		return encodeURIComponent(String(value));
	});
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const response = await (
		method === 'GET' || method === 'DELETE'
			? fetcher(url + queryString(rest), { method, signal })
			: fetcher(url, {
					method,
					signal,
					headers: { 'Content-Type': 'application/json' },
					body: JSON.stringify(Object.fromEntries(rest)),
				})
	).catch(failWithoutResponse);
	if (response.ok) return (await response.json().catch(failWithoutResponse)) as Out;
	throw await errorFrom(response);
}

/** Throws the error for no connection, no response in time, or a response that is not JSON. */
function failWithoutResponse(error: unknown): never {
	const name = (error as Error | undefined)?.name;
	const code = name === 'TimeoutError' ? 'timeout' : name === 'SyntaxError' ? 'unknown' : 'network';
	throw new AppError(code, MESSAGES[code]);
}

function queryString(values: Map<string, unknown>): string {
	const query = new URLSearchParams();
	for (const [key, value] of values) {
		const all = (Array.isArray(value) ? value : [value]) as (
			| string
			| number
			| boolean
			| undefined
		)[];
		for (const item of all) if (item !== undefined) query.append(key, String(item));
	}
	return query.size ? `?${query}` : '';
}

/** Returns our own errors as they are, and any other as the text "status: body" (product.md section 8). */
async function errorFrom(response: Response): Promise<AppError> {
	const text = await response.text().catch(() => '');
	const ours = errorBody(text);
	if (ours)
		return new AppError(ours.code, ours.message, { fields: ours.fields, stored: ours.stored });
	const code = (Object.keys(STATUS) as (keyof typeof STATUS)[]).find(
		(name) => STATUS[name] === response.status,
	);
	return new AppError(code ?? 'unknown', `${response.status}: ${text || response.statusText}`);
}

type ErrorBody = {
	code: ErrorCode;
	message: string;
	fields?: Record<string, string> | undefined;
};

function errorBody(text: string): (ErrorBody & { stored?: unknown }) | undefined {
	try {
		const { error, stored } = JSON.parse(text) as { error?: ErrorBody; stored?: unknown };
		return error?.message ? { ...error, stored } : undefined;
	} catch {
		return undefined;
	}
}
