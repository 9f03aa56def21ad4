/** For each parser that an address, a header or a body reaches, the largest input that may cost most, and a plain one of its size. */

/** A request. `chunk` sends its body in pieces of so many bytes. */
export type Asking = {
	method?: string;
	target?: string;
	headers?: Record<string, string>;
	body?: string;
	chunk?: number;
};
/** Two requests of the same size; `isAdmin` where only the admin can send them. */
export type Pair = { name: string; plain: Asking; hostile: Asking; isAdmin?: boolean };

/** People and things that requests are about. */
export type Known = { postId: string; categoryId: string; cookie: string };

/** In a body: an address that has not been used before. */
export const FRESH = 'fresh@example.com';

/** Maximum size of one header; Node takes 16 KB in all. */
const HEADER = 14_000;
/** Maximum size of many headers, with their names. */
const HEADERS = 8000;
/** Maximum length of a path or a query; the server takes 8,000 characters in all. */
const ADDRESS = 7800;
const BODY = 64 * 1024;
/** The limit of an article (product.md section 5). */
const ARTICLE = 50_000;
/** And of a comment. */
const COMMENT = 2000;
const QUERY = 200;

/** As many whole repetitions of a text as fit. */
const fill = (unit: string, size: number) => unit.repeat(Math.floor(size / unit.length));
const plain = (size: number) => 'x'.repeat(size);
/** A text as it can be printed, also where nobody sees it. */
const shown = (text: string) =>
	JSON.stringify(text).replace(
		/[^ -~]/g,
		(sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

/** Different short names, as `write` puts them, as many as fit. */
function names(size: number, write: (name: string) => string): string {
	let text = '';
	for (let index = 0; ; index++) {
		const next = text + write(index.toString(36));
		if (next.length > size) return text;
		text = next;
	}
}

export function pairsOf(known: Known): Pair[] {
	return [
		...headers(known),
		...addresses(known),
		...searches(),
		...forms(),
		...objects(),
		...fields(known),
		...comments(known),
		...articles(known),
	];
}

function headers({ postId }: Known): Pair[] {
	const page = { target: '/blog/one' };
	const api = { target: '/api/posts?limit=1' };
	const status = { target: '/api/admin/status' };
	const sent = { method: 'POST', headers: JSON_TYPE };
	const form = { ...sent, target: '/api/contact', body: '{}' };
	const event = { ...sent, target: `/api/posts/${postId}/events`, body: '{"kind":"view"}' };
	const ranged = { ...page, headers: { Range: 'bytes=0-1' } };
	const all: [name: string, what: string, value: string, asking: Asking][] = [
		['If-None-Match', 'spaces, API', `a${fill(' ', HEADER)}b`, api],
		['If-None-Match', 'spaces, page', `a${fill(' ', HEADER)}b`, page],
		['If-None-Match', 'commas, API', fill(',', HEADER), api],
		['If-None-Match', 'commas, page', fill(',', HEADER), page],
		['If-None-Match', 'weak marks, API', fill('W/,', HEADER), api],
		['If-Modified-Since', 'parentheses', fill('(', HEADER), page],
		['If-Modified-Since', 'words', fill('Mon ', HEADER), page],
		['If-Modified-Since', 'digits', fill('1 ', HEADER), page],
		['If-Range', 'parentheses', fill('(', HEADER), ranged],
		['If-Range', 'digits', fill('9 ', HEADER), ranged],
		['Range', 'digits', `bytes=${fill('9', HEADER)}-`, page],
		['Range', 'ranges', `bytes=${fill('0-1,', HEADER)}`, page],
		['Accept-Encoding', 'names', fill('a,', HEADER), page],
		['Accept-Encoding', 'parameters', fill('a;q=0.1;b=1;', HEADER), page],
		['Accept-Encoding', 'qualities', fill('a;q=0.1,', HEADER), page],
		['Accept-Encoding', 'spaces', `gzip;q=${fill(' ', HEADER)}1`, page],
		['Accept-Encoding', 'quotation marks', fill('"\\",', HEADER), page],
		['Accept', 'names', fill('a/b,', HEADER), form],
		['Cookie', 'semicolons', fill(';', HEADER), status],
		['Cookie', 'spaces', `a;${fill(' ', HEADER)}b`, status],
		['Cookie', 'dots', `groundtruth_session=${fill('.', HEADER)}`, status],
		['Origin', 'labels', `http://${fill('a.', HEADER)}`, form],
		['Origin', 'Punycode', `http://${fill('xn--a-ecp.', HEADER)}`, form],
		['Origin', 'one label of Punycode', `http://xn--${fill('a', HEADER)}`, form],
		['Origin', 'at signs', `http://${fill('@', HEADER)}`, form],
		['Origin', 'dots upwards', `http://a/${fill('../', HEADER)}`, form],
		['Content-Type', 'parameters', `application/json${fill(';a=b', HEADER)}`, form],
		['User-Agent', 'bot in pieces', fill('bo t', HEADER), event],
		['User-Agent', 'slashes', fill('/', HEADER), event],
		['User-Agent', 'parentheses', fill(' (', HEADER), event],
		['User-Agent', 'versions', fill('Chrome/', HEADER), event],
		['User-Agent', 'browsers', fill('Mozilla/5.0 (', HEADER), event],
		['X-Forwarded-For', 'commas', fill(',', HEADER), event],
		['X-Forwarded-For', 'groups', fill('1:', HEADER), event],
		['X-Forwarded-For', 'colons', fill(':', HEADER), event],
		['X-Forwarded-For', 'spaces', `1${fill(' ', HEADER)}2`, event],
		['X-Forwarded-For', 'numbers', `::ffff:${fill('0.', HEADER)}`, event],
		['X-Forwarded-For', 'brackets', fill('[', HEADER), event],
		['X-Request-Id', 'dots', fill('.', HEADER), page],
		['Host', 'labels', fill('a.', HEADER), page],
		['Host', 'Punycode', fill('xn--a-ecp.', HEADER), page],
		['X-Many', 'one name again and again', fill('a\r\nX-Many: ', HEADERS), page],
		['X-Many', 'names', `a\r\n${names(HEADERS, (name) => `${name}:\r\n`)}B: b`, page],
	];
	return all.map(([name, what, value, asking]) => {
		const withValue = (given: string) => ({
			...asking,
			headers: { ...asking.headers, [name]: given },
		});
		return {
			name: `${name}: ${what}`,
			plain: withValue(plain(value.length)),
			hostile: withValue(value),
		};
	});
}

function addresses({ postId }: Known): Pair[] {
	const all: [what: string, before: string, rest: string][] = [
		['path: slashes', '/', `${fill('/', ADDRESS)}x`],
		['path: slashes below the blog', '/blog/', `${fill('/', ADDRESS)}x`],
		['path: slashes of the API', '/api/posts/', `${fill('/', ADDRESS)}x`],
		['path: dots', '/', fill('./', ADDRESS)],
		['path: dots upwards', '/', fill('a/../', ADDRESS)],
		['path: encoded letters', '/', fill('%41', ADDRESS)],
		['path: encoded slashes', '/', `${fill('%2f', ADDRESS)}x`],
		['path: endings', '/', `${fill('.html', ADDRESS)}x`],
		['path: index files', '/', `${fill('/index.html', ADDRESS)}x`],
		['path: feeds', '/', `${fill('/rss.xml', ADDRESS)}x`],
		['path: slug', '/api/posts/', fill('%41', ADDRESS)],
		['path: Markdown version', '/blog/', `${fill('.md', ADDRESS)}x`],
		['path: admin', '/api/admin/posts/', fill('revisions/', ADDRESS)],
		['path: token of a preview', '/api/preview/', fill('-_', ADDRESS)],
		['path: token of a download', '/api/downloads/', fill('-_', ADDRESS)],
		['query: question marks', '/?', fill('?', ADDRESS)],
		['query: keys', '/api/posts?', names(ADDRESS, (name) => `${name}&`)],
		['query: one key', '/api/posts?', fill('a&', ADDRESS)],
		['query: encoded', '/api/posts?', fill('%41=%41&', ADDRESS)],
		['query: tags', `/api/posts/${postId}/related?`, fill('tags=a&', ADDRESS)],
		['query: encoded tags', `/api/posts/${postId}/related?`, fill('tags=%41&', 1900)],
	];
	return all.map(([name, before, rest]) => ({
		name,
		plain: { target: before + plain(rest.length) },
		hostile: { target: before + rest },
	}));
}

function searches(): Pair[] {
	const search = (words: string) => ({
		target: `/api/posts/search?q=${encodeURIComponent(words)}`,
	});
	const all: [what: string, unit: string][] = [
		['words that are everywhere', 'the model of a '],
		['beginnings', 'a m o s t p '],
		['misspelled words', 'trainnig evaluaton '],
		['long misspelled words', 'representatoin generalizaiton '],
		['letters of many letters', '\uFDFA'],
		['signs of the index', '"*^(NEAR '],
	];
	return all.map(([what, unit]) => ({
		name: `search: ${what}`,
		plain: search(plain(QUERY)),
		hostile: search(fill(unit, QUERY)),
	}));
}

function forms(): Pair[] {
	const all: [what: string, target: string, body: string][] = [
		['keys', '/api/contact', names(BODY, (name) => `${name}&`)],
		['one key', '/api/contact', fill('a&', BODY)],
		['no keys', '/api/contact', fill('&', BODY)],
		[
			'200 keys',
			'/api/contact',
			names(BODY, (name) => `${name}&`)
				.split('&', 200)
				.join('&'),
		],
		['encoded', '/api/contact', `a=${fill('%41', BODY - 2)}`],
		['broken encoding', '/api/contact', `a=${fill('%', BODY - 2)}`],
		['plus signs', '/api/contact', `a=${fill('+', BODY - 2)}`],
		['equal signs', '/api/contact', fill('=', BODY)],
		['keys, to a link in an email', '/unsubscribe', names(BODY, (name) => `${name}&`)],
		['fields', '/api/mailerlite/subscribe', names(BODY, (name) => `fields[${name}]&`)],
	];
	const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
	return all.map(([what, target, body]) => ({
		name: `form: ${what}`,
		plain: { method: 'POST', target, headers, body: `a=${plain(body.length - 2)}` },
		hostile: { method: 'POST', target, headers, body },
	}));
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LIST = '/api/mailerlite/subscribe';

function objects(): Pair[] {
	const half = BODY / 2 - 20;
	const address = `"email":"${FRESH}"`;
	const all: [what: string, target: string, body: string][] = [
		['keys', '/api/contact', `{${names(BODY - 10, (name) => `"${name}":0,`)}"a":0}`],
		['numbers', '/api/contact', `{"a":${fill('9', BODY - 6)}}`],
		['lists in lists', '/api/contact', `{"a":${fill('[', half)}${fill(']', half)}}`],
		['lists without end', '/api/contact', fill('[', BODY)],
		['objects in objects', '/api/contact', `${fill('{"a":', BODY * 0.8)}0${fill('}', BODY / 6)}`],
		['nulls in a text', '/api/contact', `{"a":"${fill('\\u0000', BODY - 8)}"}`],
		['a null in lists', '/api/contact', `{"a":${fill('[', half)}"\\u0000"${fill(']', half)}}`],
		['halves of letters', '/api/contact', `{"a":"${fill('\\ud800', BODY - 8)}"}`],
		['fields', LIST, `{${names(BODY - 60, (name) => `"fields[${name}]":0,`)}${address}}`],
		['wrong groups', LIST, `{${address},"groups":[${fill('0,', BODY - 60)}0]}`],
		['wrong fields', LIST, `{${address},"fields":[${fill('0,', BODY - 60)}0]}`],
	];
	const sent = { method: 'POST', headers: JSON_TYPE };
	return [
		...all.map(([what, target, body]) => ({
			name: `JSON: ${what}`,
			plain: { ...sent, target, body: `{"a":"${plain(body.length - 8)}"}` },
			hostile: { ...sent, target, body },
		})),
		{
			name: 'body: pieces of a byte',
			plain: { ...sent, target: '/api/contact', body: plain(BODY), chunk: BODY },
			// With what stands around each piece it is as long.
			hostile: { ...sent, target: '/api/contact', body: plain(Math.floor(BODY / 6)), chunk: 1 },
		},
	];
}

/** Texts of which one field is made, as long as the body may be. */
function fields({ postId }: Known): Pair[] {
	const contact = { name: 'Ada', email: FRESH, topic: 'Correction', message: 'Hello there' };
	const comment = { postId, author: 'Ada', email: FRESH, content: 'Lovely post' };
	const login = { email: FRESH, password: 'wrong' };
	const subscribe = { email: FRESH };
	const all: [target: string, rest: object, name: string, units: string[]][] = [
		['/api/contact', contact, 'email', ['a', 'a.', 'a@', '@', 'a-', 'İ', "'", ' a', 'a@a.a.']],
		['/api/contact', contact, 'name', [' ', ' a', '\u200b', '\u202e', '\uFDFA']],
		['/api/contact', contact, 'message', ['e\u0301', '\r\n']],
		['/api/contact', contact, 'elapsedMs', ['9', ' ']],
		['/api/comments', comment, 'author', [' a', '\uFDFA']],
		['/api/comments', comment, 'content', ['\r\n', 'a', 'http:', '\u200b']],
		['/api/subscribers', subscribe, 'source', [' a', '\u200b ']],
		[LIST, subscribe, 'fields[name]', [' a']],
		['/api/email-course/enroll', subscribe, 'email', ['a.']],
		['/api/content-upgrade', { ...subscribe, type: 'pdf' }, 'postId', [' a']],
		['/unsubscribe', {}, 'token', ['-_']],
		['/unsubscribe', { token: 'none' }, 'choice', ['undo 1']],
		['/preferences', { token: 'none' }, 'choice', ['data-', '1 ']],
		['/api/admin/login', login, 'password', ['\uFDFA', 'aA1']],
	];
	return all.flatMap(([target, rest, name, units]) =>
		units.map((unit) => {
			const body = (text: string) => JSON.stringify({ ...rest, [name]: text });
			const room = BODY - Buffer.byteLength(body('')) - 20;
			const each = Buffer.byteLength(JSON.stringify(unit)) - 2;
			const text = unit.repeat(Math.floor(room / each));
			const sent = { method: 'POST', target, headers: JSON_TYPE };
			return {
				name: `${target} ${name}: ${shown(unit)}`,
				plain: { ...sent, body: body(plain(Math.floor(room / each) * each)) },
				hostile: { ...sent, body: body(text) },
			};
		}),
	);
}

function comments({ postId }: Known): Pair[] {
	const units = ['buy_', 'aaaaaaaaaa ', 'fre', 'https:/', '\uFDFA', '\u200b', 'e\u0301\u0301'];
	const body = (content: string) =>
		JSON.stringify({ postId, author: 'Ada', email: FRESH, content });
	const sent = { method: 'POST', target: '/api/comments', headers: JSON_TYPE };
	return units.map((unit) => ({
		name: `comment: ${shown(unit)}`,
		plain: { ...sent, body: body(fill('word ', COMMENT)) },
		hostile: { ...sent, body: body(`${fill(unit, COMMENT - 3)}abc`) },
	}));
}

function articles({ categoryId, cookie }: Known): Pair[] {
	const units = ['<b>', '<p><b><i>', '<table>', '<a>', '<svg><p>', '&amp', '<!--', '<a b=', '<'];
	const body = (content: string) => JSON.stringify({ title: 'Two', content, categoryId });
	const headers = { ...JSON_TYPE, Cookie: cookie };
	const sent = { method: 'POST', target: '/api/admin/posts', headers };
	return units.map((unit) => ({
		name: `article: ${unit}`,
		isAdmin: true,
		plain: { ...sent, body: body(fill('<p>Words of it.</p>', ARTICLE)) },
		hostile: { ...sent, body: body(fill(unit, ARTICLE)) },
	}));
}
