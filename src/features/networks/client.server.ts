import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { OutageError, PermanentError, PostponedError } from '#src/core/outbox/outbox.ts';
import { readAtMost, requestPublicUrl, type AddressPolicy } from '#src/core/web.server.ts';
import { HOUR, SECOND } from '#src/lib/dates.ts';
import { blueskyPost, mastodonText, recordName, type Network, type Told } from './networks.ts';

const TIMEOUT_MS = 10 * SECOND;
const MAX_ANSWER = 2_000_000;
/** Longest time that a server can make a post wait by itself; then it is asked again. */
const MAX_WAIT_MS = 5 * HOUR;

/** How an account is signed in to. */
export type Account = { server: string; handle: string; secret: string };
/** An article that is told of: its id and the time it was begun say the name of its post. `picture` is the address of its card. */
type Article = Told & { id: string; createdAt: Date; picture: string };
type Posted = { url: string; ref: string };
type Counts = { replies: number; likes: number };

/** An account that is signed in to. `name` is its own, as people write it; `handle` is what signs in even after a new name. */
type Session = {
	name: string;
	handle: string;
	/** Returns the post that tells of an article already, or null. */
	find(article: Article): Promise<Posted | null>;
	post(article: Article, key: string, now: Date): Promise<Posted>;
	/** Returns the counts of posts that are still there, by their `ref`. */
	count(refs: string[]): Promise<Map<string, Counts>>;
};

type Asked = { body?: object | Picture; token?: string; headers?: Record<string, string> };

/** A refusal with the network's own words. */
class RefusedError extends Error {
	override name = 'RefusedError';
	readonly status: number;
	constructor(status: number, words: string) {
		super(`${status}: ${words}`);
		this.status = status;
	}
}

/** Answer of a personal data server, with 400, in a session that is over. */
const SESSION_OVER = /"error":"(Expired|Invalid)Token"/;

/** A picture as its server sends it. */
class Picture {
	readonly type: string;
	readonly bytes: Buffer;
	constructor(type: string, bytes: Buffer) {
		this.type = type;
		this.bytes = bytes;
	}
}

/** Asks a server for JSON. Throws errors that the outbox understands. */
async function ask(
	url: string,
	{ body, token, headers = {} }: Asked,
	reach?: AddressPolicy,
): Promise<unknown> {
	const target = new URL(url);
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	let status = 0;
	let waits: string | undefined;
	let text = '';
	try {
		const response = await requestPublicUrl(target, {
			method: body ? 'POST' : 'GET',
			headers: {
				Accept: 'application/json',
				...(body && { 'Content-Type': body instanceof Picture ? body.type : 'application/json' }),
				...(token && { Authorization: `Bearer ${token}` }),
				...headers,
			},
			...(body && { body: body instanceof Picture ? body.bytes : JSON.stringify(body) }),
			signal,
			reach,
		});
		status = response.statusCode ?? 0;
		waits = response.headers['retry-after'];
		for await (const part of response.setEncoding('utf8')) {
			text += String(part);
			if (text.length > MAX_ANSWER) throw new Error('The answer is too long.');
		}
	} catch (error) {
		throw new OutageError(
			`${target.host} cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
		);
	}
	if (status === 429) {
		const ms = Number(waits) * SECOND || Date.parse(waits ?? '') - Date.now() || 60 * SECOND;
		throw new PostponedError(new Date(Date.now() + Math.min(Math.max(ms, SECOND), MAX_WAIT_MS)));
	}
	if (status === 400 && SESSION_OVER.test(text)) status = 401;
	if (status < 200 || status > 299) throw new RefusedError(status, wordsOf(text) || target.host);
	try {
		return JSON.parse(text) as unknown;
	} catch {
		throw new OutageError(`${target.host} answers with something else than JSON.`);
	}
}

/** Returns what a refusal says, without markup. */
function wordsOf(text: string): string {
	try {
		const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
		const words = message ?? error;
		return typeof words === 'string' ? words.slice(0, 300) : '';
	} catch {
		return '';
	}
}

/** Makes refusals of a post final, where asking again with the same words changes nothing. */
const final = async <Out>(work: Promise<Out>) =>
	work.catch((error: unknown) => {
		const isFinal =
			error instanceof RefusedError && [400, 404, 410, 413, 422].includes(error.status);
		throw isFinal ? new PermanentError(error.message) : error;
	});

/** Most bytes of a picture in a card. */
const PICTURE_MOST = 976_560;

/** Reads a picture. Throws where it is none, or too large for a card. */
async function readPicture(url: string, reach?: AddressPolicy): Promise<Picture> {
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const response = await requestPublicUrl(new URL(url), { headers: {}, signal, reach });
	const type = response.headers['content-type'] ?? '';
	const bytes = await readAtMost(response, PICTURE_MOST);
	if (response.statusCode !== 200 || !/^image\/(png|jpeg|webp)$/.test(type) || !bytes)
		throw new Error(`${url} is no picture for a card.`);
	return new Picture(type, bytes);
}

const session = z.object({
	did: z.string(),
	handle: z.string(),
	accessJwt: z.string(),
	active: z._default(z.boolean(), true),
	status: z._default(z.string(), 'not active'),
});
const stored = z.object({ uri: z.string() });
const uploaded = z.object({ blob: z.looseObject({}) });
const record = z.object({
	uri: z.string(),
	value: z.object({
		embed: z.optional(z.object({ external: z.optional(z.object({ uri: z.string() })) })),
	}),
});
const counted = z.object({
	posts: z.array(
		z.object({
			uri: z.string(),
			replyCount: z._default(z.number(), 0),
			likeCount: z._default(z.number(), 0),
		}),
	),
});
/** Most posts that are asked for at once. */
const BLUESKY_AT_ONCE = 25;

async function signInToBluesky(
	{ server, handle, secret }: Account,
	reach?: AddressPolicy,
): Promise<Session> {
	const call = (name: string, asked: Asked) => ask(`${server}/xrpc/${name}`, asked, reach);
	const credentials = { identifier: handle, password: secret };
	const {
		did,
		accessJwt: token,
		handle: name,
		...state
	} = session.parse(await call('com.atproto.server.createSession', { body: credentials }));
	// It is let in, but posts nothing, and its posts are hidden until it is active again.
	if (!state.active) throw new RefusedError(403, `The account is ${state.status}.`);
	const collection = 'app.bsky.feed.post';
	const nameOf = ({ id, createdAt }: Article) =>
		recordName(createdAt, createHash('sha256').update(id).digest());
	const at = (uri: string): Posted => ({
		ref: uri,
		url: `https://bsky.app/profile/${did}/post/${uri.split('/').at(-1)}`,
	});
	/** Returns what a card says of a picture; nothing where it could not be uploaded, which keeps no article from being told of. */
	const upload = (picture: string) =>
		readPicture(picture, reach)
			.then((body) => call('com.atproto.repo.uploadBlob', { body, token }))
			.then((answer) => uploaded.parse(answer).blob)
			.catch(() => undefined);
	async function find(article: Article) {
		const query = new URLSearchParams({ repo: did, collection, rkey: nameOf(article) });
		const found = await call(`com.atproto.repo.getRecord?${query}`, { token }).catch(
			(error: unknown) => {
				// It says 400 for a record that is not there.
				if (error instanceof RefusedError && [400, 404].includes(error.status)) return null;
				throw error;
			},
		);
		return found === null ? null : at(record.parse(found).uri);
	}
	return {
		name,
		handle: did,
		find,
		async post(article, _key, now) {
			const thumb = await upload(article.picture);
			const body = {
				repo: did,
				collection,
				rkey: nameOf(article),
				record: blueskyPost(article, now.toISOString(), thumb),
			};
			const made = call('com.atproto.repo.createRecord', { body, token }).catch(
				async (error: unknown) => {
					// Also where the name is taken, of which it says 500: an earlier call had arrived.
					const there = error instanceof RefusedError ? await find(article) : null;
					if (there) return { uri: there.ref };
					throw error;
				},
			);
			return at(stored.parse(await final(made)).uri);
		},
		async count(refs) {
			const counts = new Map<string, Counts>();
			for (let from = 0; from < refs.length; from += BLUESKY_AT_ONCE) {
				const query = new URLSearchParams(
					refs.slice(from, from + BLUESKY_AT_ONCE).map((ref) => ['uris', ref]),
				);
				const { posts } = counted.parse(await call(`app.bsky.feed.getPosts?${query}`, { token }));
				for (const { uri, replyCount, likeCount } of posts)
					counts.set(uri, { replies: replyCount, likes: likeCount });
			}
			return counts;
		},
	};
}

const owner = z.object({ id: z.string(), acct: z.string() });
const status = z.object({
	id: z.string(),
	url: z.string().check(z.regex(/^https?:\/\//)),
	content: z._default(z.string(), ''),
	replies_count: z._default(z.number(), 0),
	favourites_count: z._default(z.number(), 0),
});
/** Most of the latest posts that are searched for one that tells of an article. */
const MASTODON_LATEST = 40;

async function signInToMastodon(
	{ server, secret: token }: Account,
	reach?: AddressPolicy,
): Promise<Session> {
	const call = (path: string, asked: Asked = {}) =>
		ask(`${server}/api/v1/${path}`, { token, ...asked }, reach);
	const { id, acct } = owner.parse(await call('accounts/verify_credentials'));
	const at = ({ id: ref, url }: z.infer<typeof status>): Posted => ({ ref, url });
	return {
		name: `@${acct}@${new URL(server).host}`,
		handle: '',
		async find({ url }) {
			const query = new URLSearchParams({
				limit: String(MASTODON_LATEST),
				exclude_replies: 'true',
				exclude_reblogs: 'true',
			});
			const latest = z.array(status).parse(await call(`accounts/${id}/statuses?${query}`));
			const mine = latest.find(({ content }) => content.includes(`"${url}"`));
			return mine ? at(mine) : null;
		},
		async post(article, key) {
			const body = { status: mastodonText(article), visibility: 'public', language: 'en' };
			const made = call('statuses', { body, headers: { 'Idempotency-Key': key } });
			return at(status.parse(await final(made)));
		},
		async count(refs) {
			const counts = new Map<string, Counts>();
			for (const ref of refs) {
				const found = await call(`statuses/${encodeURIComponent(ref)}`).catch((error: unknown) => {
					if (error instanceof RefusedError && error.status === 404) return null;
					throw error;
				});
				if (found === null) continue;
				const { replies_count: replies, favourites_count: likes } = status.parse(found);
				counts.set(ref, { replies, likes });
			}
			return counts;
		},
	};
}

/** Signs in to an account. Its requests lead to public addresses, unless `reach` says otherwise. */
export const signIn = (
	network: Network,
	account: Account,
	reach?: AddressPolicy,
): Promise<Session> => (network === 'bluesky' ? signInToBluesky : signInToMastodon)(account, reach);
