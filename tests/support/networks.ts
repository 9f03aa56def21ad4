/** Doubles of a personal data server, by the lexicons of com.atproto and app.bsky, and of a Mastodon server, by its documentation. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { HOUR } from '#src/lib/dates.ts';

/** What happens to a request: it is answered, refused with a status, or its connection ends before or after it is done. */
export type Mood =
	| 'answers'
	| 'ends'
	| 'ends-after'
	| 'hangs'
	| { status: number; retryAfter?: string; error?: string };

type Post = { link: string; text: string; picture: boolean; likes: number; replies: number };

/** Fields of what the calls are sent. */
type Body = {
	identifier: string;
	password: string;
	rkey: string;
	record: { text: string; embed: { external: { uri: string; thumb?: object } } };
	status: string;
};

type Answer = { status: number; body: unknown };
const ok = (body: unknown): Answer => ({ status: 200, body });
const refused = (status: number, error: string, message = error): Answer => ({
	status,
	body: { error, message },
});
const TID = /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/;
const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].length;

export const BLUESKY = { handle: 'ann.bsky.social', secret: 'abcd-efgh', did: 'did:plc:ann' };
export const MASTODON = { handle: '', secret: 'a token' };

/**
 * Starts both at one address, with a site whose pictures have `pictureBytes`. `moodOf` says what happens to a request that
 * writes, and to an upload, which has no link; it ends with the test.
 */
export async function startNetworks(
	moodOf: (link: string) => Mood = () => 'answers',
	onPost = (_link: string) => {},
	pictureBytes = 1000,
) {
	const records = new Map<string, Post>();
	const statuses = new Map<string, Post>();
	const known = new Map<string, { id: string; at: number }>();
	const asked: string[] = [];
	/** The account at the personal data server. With a status such as `deactivated` it can do nothing. */
	const account: { handle: string; status?: string } = { handle: BLUESKY.handle };
	/** Types of the pictures that were uploaded. */
	const uploads: string[] = [];
	let refusedCall: string | null = null;

	function bluesky(
		name: string,
		query: URLSearchParams,
		body: Body,
		token: string,
		type: string,
	): Answer {
		if (name === 'com.atproto.server.createSession')
			return [account.handle, BLUESKY.did].includes(body.identifier) &&
				body.password === BLUESKY.secret
				? ok({
						...{ did: BLUESKY.did, accessJwt: 'jwt', refreshJwt: 'r' },
						...{ ...account, active: !account.status },
					})
				: refused(401, 'AuthenticationRequired', 'Invalid identifier or password');
		if (token !== 'jwt') return refused(400, 'InvalidToken', 'Token could not be verified');
		const uriOf = (rkey: string) => `at://${BLUESKY.did}/app.bsky.feed.post/${rkey}`;
		if (name === 'com.atproto.repo.createRecord') {
			const { rkey, record } = body;
			if (!TID.test(rkey)) return refused(400, 'InvalidRequest', 'Invalid record key');
			if (graphemes(record.text) > 300)
				return refused(400, 'InvalidRequest', 'grapheme too big (maximum 300)');
			if (Buffer.byteLength(record.text) > 3000)
				return refused(400, 'InvalidRequest', 'string too big (maximum 3000)');
			const uri = uriOf(rkey);
			// So the reference server says that a name is taken.
			if (records.has(uri)) return refused(500, 'InternalServerError', 'Internal Server Error');
			const link = record.embed.external.uri;
			onPost(link);
			const { thumb } = record.embed.external;
			if (thumb && !('ref' in thumb)) return refused(400, 'InvalidRequest', 'thumb must be a blob');
			records.set(uri, { link, text: record.text, picture: !!thumb, likes: 0, replies: 0 });
			return ok({ uri, cid: 'bafy' });
		}
		if (name === 'com.atproto.repo.uploadBlob') {
			const ref = { $link: `bafkrei${uploads.length}` };
			uploads.push(type);
			return ok({ blob: { $type: 'blob', ref, mimeType: type, size: pictureBytes } });
		}
		if (name === 'com.atproto.repo.getRecord') {
			const uri = uriOf(query.get('rkey')!);
			const found = records.get(uri);
			const value = found && { text: found.text, embed: { external: { uri: found.link } } };
			return value ? ok({ uri, cid: 'bafy', value }) : refused(400, 'RecordNotFound');
		}
		if (name === 'app.bsky.feed.getPosts')
			return ok({
				posts: query.getAll('uris').flatMap((uri) => {
					const post = records.get(uri);
					return post ? [{ uri, likeCount: post.likes, replyCount: post.replies }] : [];
				}),
			});
		return refused(501, 'MethodNotImplemented');
	}

	function mastodon(path: string, body: Body, token: string, key: string, host: string): Answer {
		if (token !== MASTODON.secret) return refused(401, 'The access token is invalid');
		const viewOf = (id: string, { link, text, likes, replies }: Post) => ({
			id,
			url: `http://${host}/@ann/${id}`,
			content: `<p>${text.replace(link, '')}<a href="${link}">${link}</a></p>`,
			favourites_count: likes,
			replies_count: replies,
		});
		if (path === 'accounts/verify_credentials') return ok({ id: '7', acct: 'ann' });
		if (path === 'accounts/7/statuses')
			return ok(
				[...statuses]
					.reverse()
					.slice(0, 40)
					.map(([id, post]) => viewOf(id, post)),
			);
		if (path === 'statuses') {
			const before = known.get(key);
			if (before && Date.now() - before.at < HOUR)
				return ok(viewOf(before.id, statuses.get(before.id)!));
			const link = /https?:\S+$/.exec(body.status)![0];
			if (graphemes(body.status.replace(link, 'x'.repeat(23))) > 500)
				return refused(422, 'Validation failed: Text character limit of 500 exceeded');
			onPost(link);
			const id = String(statuses.size + 1);
			statuses.set(id, { link, text: body.status, picture: false, likes: 0, replies: 0 });
			known.set(key, { id, at: Date.now() });
			return ok(viewOf(id, statuses.get(id)!));
		}
		const id = path.replace('statuses/', '');
		const post = statuses.get(id);
		return post ? ok(viewOf(id, post)) : refused(404, 'Record not found');
	}

	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (part) => (text += String(part)));
		request.on('end', () => {
			const { pathname, searchParams } = new URL(request.url!, 'http://x');
			asked.push(pathname);
			if (refusedCall && pathname.endsWith(refusedCall))
				return respond(response, { status: 503 }, () => ok(null));
			if (pathname.startsWith('/social/'))
				return response
					.writeHead(200, { 'Content-Type': 'image/png' })
					.end(Buffer.alloc(pictureBytes));
			const type = request.headers['content-type'] ?? '';
			const isUpload = pathname.endsWith('uploadBlob');
			const body = (text && !isUpload ? JSON.parse(text) : {}) as Body;
			const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
			const work = () =>
				pathname.startsWith('/xrpc/')
					? bluesky(pathname.slice('/xrpc/'.length), searchParams, body, token, type)
					: mastodon(
							pathname.slice('/api/v1/'.length),
							body,
							token,
							String(request.headers['idempotency-key']),
							request.headers.host!,
						);
			const { record, status } = body as Partial<Body>;
			const link = record?.embed.external.uri ?? /https?:\S+$/.exec(status ?? '')?.[0];
			respond(response, link || isUpload ? moodOf(link ?? '') : 'answers', work);
		});
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	/** Refuses a call from now on. */
	const refuse = (call: string) => (refusedCall = call);
	return { address, records, statuses, account, asked, uploads, refuse };
}

function respond(response: ServerResponse, mood: Mood, work: () => Answer) {
	if (mood === 'ends') return response.destroy();
	if (mood === 'hangs') return;
	if (typeof mood === 'object') {
		const headers = mood.retryAfter ? { 'Retry-After': mood.retryAfter } : {};
		const { error = 'not now' } = mood;
		return response.writeHead(mood.status, headers).end(JSON.stringify({ error }));
	}
	const { status, body } = work();
	if (mood === 'ends-after') return response.destroy();
	response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
