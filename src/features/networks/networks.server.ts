import { and, desc, eq, gt, ne, or, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#db/client.ts';
import { importItems, mentions, outbox, posts, settings } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { awaitBuilt } from '#src/core/builds/builds.server.ts';
import { PostponedError, WithdrawnError } from '#src/core/outbox/outbox.ts';
import { enqueue, type Courier } from '#src/core/outbox/outbox.server.ts';
import { isInState } from '#src/core/posts/post-state.server.ts';
import { runEach } from '#src/core/steps.server.ts';
import type { AddressPolicy } from '#src/core/web.server.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { invalid } from '#src/lib/errors.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { paths, pictures } from '#src/site.ts';
import { signIn, type Account } from './client.server.ts';
import {
	NETWORKS,
	NETWORK_NAMES,
	type AccountForm,
	type Network,
	type NetworkView,
} from './networks.ts';

/** Until then an article can be taken back, or out of the networks, before it is told of. */
const WAIT_MS = 2 * MINUTE;
/** An article that nobody could tell of for so long is no news. */
const NEWS_MS = 7 * DAY;
const SHOWN_POSTS = 10;

/** Key of `settings`. */
const KEY = 'networks';
const PURPOSE = 'network';

const storedAccount = z.object({
	name: z.string(),
	server: z.string(),
	handle: z.string(),
	/** Sealed. */
	secret: z.string(),
	/** ISO time: articles before it are not told of. */
	since: z.string(),
});
type StoredAccount = z.infer<typeof storedAccount>;
type Accounts = Partial<Record<Network, StoredAccount>>;

async function readAccounts(db: Db): Promise<Accounts> {
	const [row] = await db
		.select(tolerant({ value: settings.value }))
		.from(settings)
		.where(eq(settings.key, KEY));
	const value = (row?.value ?? {}) as Record<string, unknown>;
	return Object.fromEntries(
		NETWORKS.flatMap((network) => {
			const account = storedAccount.safeParse(value[network]).data;
			return account ? [[network, account]] : [];
		}),
	);
}

/** Returns an account to sign in with, or null if it was sealed with another secret. */
function unsealed(stored: StoredAccount): Account | null {
	const secret = unseal(getSecret(), PURPOSE, stored.secret);
	return secret === null ? null : { ...stored, secret };
}

/** Stores an account, or that there is none. */
async function storeAccount(
	db: Db,
	network: Network,
	account: Accounts[Network] | null,
	{ actor, now }: Actor,
): Promise<void> {
	const value = account ? { [network]: account } : { [network]: null };
	const merged = sql`json_patch(coalesce(${settings.value}, '{}'), ${JSON.stringify(value)})`;
	await db.batch([
		db
			.insert(settings)
			.values({ key: KEY, value, updatedAt: now })
			.onConflictDoUpdate({ target: settings.key, set: { value: merged, updatedAt: now } }),
		auditStatement(
			db,
			{
				actor,
				action: account ? 'connected a network' : 'disconnected a network',
				subject: `network ${NETWORK_NAMES[network]}`,
				detail: account?.name ?? '',
			},
			now,
		),
		// What waits for the account need not wait longer.
		db
			.update(outbox)
			.set({ dueAt: now })
			.where(and(eq(outbox.kind, network), sql`due_at is not null and leased_until is null`)),
	]);
}

/** Signs in to an account and keeps it. Throws `validation` with the network's words if it is not let in. */
export async function connectNetwork(
	db: Db,
	{ network, server, secret, ...form }: AccountForm,
	actor: Actor,
	reach?: AddressPolicy,
): Promise<NetworkView[]> {
	if (network === 'bluesky' && !form.handle) throw invalid({ handle: 'Enter the handle' });
	const { name, handle } = await signIn(network, { ...form, server, secret }, reach).catch(
		(error: unknown) => {
			const words =
				error instanceof PostponedError
					? 'It wants no more sign-ins for now.'
					: error instanceof z.core.$ZodError
						? 'Its answer is not that of such a server.'
						: String((error as Error).message);
			throw invalid({ secret: `${new URL(server).host} did not let us in. ${words}` });
		},
	);
	const before = (await readAccounts(db))[network];
	const sealed = seal(getSecret(), PURPOSE, secret);
	const since = before?.since ?? actor.now.toISOString();
	await storeAccount(db, network, { name, server, handle, secret: sealed, since }, actor);
	return listNetworks(db);
}

export async function disconnectNetwork(
	db: Db,
	network: Network,
	actor: Actor,
): Promise<NetworkView[]> {
	await storeAccount(db, network, null, actor);
	return listNetworks(db);
}

/** Returns the networks as the desk shows them. */
export async function listNetworks(db: Db): Promise<NetworkView[]> {
	const accounts = await readAccounts(db);
	return Promise.all(
		NETWORKS.map(async (network) => {
			const account = accounts[network];
			const [owed] = await db
				.select(tolerant({ failure: outbox.lastError }))
				.from(outbox)
				.where(
					and(
						eq(outbox.kind, network),
						sql`attempts > 0 and delivered_at is null and (due_at is not null or failed_at is not null)`,
					),
				)
				.orderBy(desc(outbox.createdAt))
				.limit(1);
			const made = await db
				.select(
					tolerant({
						title: posts.title,
						url: mentions.url,
						replies: mentions.replies,
						likes: mentions.likes,
					}),
				)
				.from(mentions)
				.innerJoin(posts, eq(posts.id, mentions.postId))
				.where(and(eq(mentions.network, network), ne(mentions.url, '')))
				.orderBy(desc(mentions.createdAt))
				.limit(SHOWN_POSTS);
			return {
				network,
				account: account
					? { name: account.name, server: account.server, since: account.since }
					: null,
				failure: owed?.failure ?? null,
				posts: made,
			};
		}),
	);
}

/** Keeps an article from being told of, or takes that back. What was posted stays. Returns null if there is no such post. */
export async function placeOnNetworks(
	db: Db,
	id: string,
	isIn: boolean,
	now: Date,
): Promise<{ id: string; isIn: boolean } | null> {
	if ((await db.$count(posts, eq(posts.id, id))) === 0) return null;
	if (isIn) await db.delete(mentions).where(and(eq(mentions.postId, id), eq(mentions.url, '')));
	else
		await db
			.insert(mentions)
			.values(NETWORKS.map((network) => ({ postId: id, network, createdAt: now })))
			.onConflictDoNothing();
	return { id, isIn };
}

/**
 * Queues a post for each article that has become public since its account was connected, once for each article and network,
 * and again what was withdrawn because its article was not public for a while.
 */
export async function queuePosts(db: Db, now: Date): Promise<void> {
	const at = now.getTime();
	const accounts = await readAccounts(db);
	for (const network of NETWORKS) {
		const account = accounts[network];
		if (!account) continue;
		const since = Math.max(Date.parse(account.since), at - NEWS_MS);
		const isNew = sql`${isInState('published', now)} and ${posts.publishedAt} > ${since}
			and ${posts.publishedAt} <= ${at - WAIT_MS}
			and not exists (select 1 from ${mentions} where ${mentions.postId} = ${posts.id} and ${mentions.network} = ${network})
			and not exists (select 1 from ${importItems} where ${importItems.itemId} = ${posts.id} and ${importItems.wasPublic} = 1)`;
		await db.batch([
			enqueue(
				db,
				{
					kind: network,
					key: sql`${posts.id}`,
					payload: {},
					each: sql`from ${posts} where ${isNew}`,
				},
				now,
			),
			db
				.update(outbox)
				.set({ dueAt: now, lastError: null })
				.where(
					sql`kind = ${network} and created_at > ${at - NEWS_MS} and due_at is null and delivered_at is null
						and failed_at is null and key in (select ${posts.id} from ${posts} where ${isNew})`,
				),
		]);
	}
}

/**
 * Returns what posts at a network: of an article that is public, once its page is live. Who tries again looks first whether
 * an earlier try has arrived.
 */
export function networkCourier(db: Db, network: Network, reach?: AddressPolicy): Courier {
	/** One for all posts of a run. */
	let session: ReturnType<typeof signIn> | undefined;
	return async ({ id, key: postId, attempts, createdAt }, now, begin) => {
		const stored = (await readAccounts(db))[network];
		if (!stored) throw new WithdrawnError('The account was disconnected.');
		const article = await findArticle(db, postId, network, now);
		await awaitBuilt(db, article.publishedAt, createdAt, now);
		const account = unsealed(stored);
		if (!account) throw new Error('The account was sealed with another SECRET: connect it again.');
		session ??= signIn(network, account, reach);
		try {
			const signedIn = await session;
			let posted = attempts > 1 ? await signedIn.find(article) : null;
			if (!posted) {
				// It may have gone while the network was asked.
				await findArticle(db, postId, network, now);
				await begin();
				posted = await signedIn.post(article, id, now);
			}
			const { url, ref } = posted;
			const row = { postId, network, url, ref, createdAt: now };
			await db
				.insert(mentions)
				.values(row)
				.onConflictDoUpdate({ target: [mentions.postId, mentions.network], set: { url, ref } });
		} catch (error) {
			// The next one signs in again.
			session = undefined;
			throw error;
		}
	};
}

/** How long the responses to a post are counted, and how many posts of a network at once. */
const COUNTED_MS = 90 * DAY;
const COUNTED_POSTS = 100;

/**
 * Counts the replies to the latest posts at each network, and the likes. One that is gone there is linked no more, and not
 * posted again. Throws after the last network if one could not be asked.
 */
export async function countResponses(db: Db, now: Date, reach?: AddressPolicy): Promise<void> {
	const accounts = await readAccounts(db);
	await runEach(
		NETWORKS.map((network) => [
			NETWORK_NAMES[network],
			async () => {
				const stored = accounts[network];
				const account = stored && unsealed(stored);
				if (!account) return;
				const made = await db
					.select(tolerant({ ref: mentions.ref, createdAt: mentions.createdAt }))
					.from(mentions)
					.where(
						and(
							eq(mentions.network, network),
							ne(mentions.url, ''),
							gt(mentions.createdAt, new Date(now.getTime() - COUNTED_MS)),
						),
					)
					.orderBy(desc(mentions.createdAt))
					.limit(COUNTED_POSTS);
				if (made.length === 0) return;
				const session = await signIn(network, account, reach);
				const counts = await session.count(made.map(({ ref }) => ref));
				for (const { ref, createdAt } of made) {
					const counted = counts.get(ref);
					// A new post may not be known everywhere yet.
					if (!counted && now.getTime() - createdAt.getTime() < HOUR) continue;
					const { replies, likes } = counted ?? { replies: 0, likes: 0 };
					await db
						.update(mentions)
						.set({ replies, likes, ...(!counted && { url: '', ref: '' }) })
						.where(
							and(
								eq(mentions.network, network),
								eq(mentions.ref, ref),
								// Whatever is written brings the article's page into the next build.
								counted && or(ne(mentions.replies, replies), ne(mentions.likes, likes)),
							),
						);
				}
			},
		]),
	);
}

/** Returns what a post tells of. Throws if it is not public, or was left out. */
async function findArticle(db: Db, id: string, network: Network, now: Date) {
	const { title, excerpt, slug, createdAt, publishedAt } = posts;
	const [row] = await db
		.select(tolerant({ title, excerpt, slug, createdAt, publishedAt }))
		.from(posts)
		.where(and(eq(posts.id, id), isInState('published', now)));
	if (!row?.publishedAt) throw new WithdrawnError('The article is not public.');
	const isOut = and(eq(mentions.postId, id), eq(mentions.network, network), eq(mentions.url, ''));
	if ((await db.$count(mentions, isOut)) > 0) throw new WithdrawnError('The article was left out.');
	const url = new URL(paths.post(row.slug), getEnv().SITE_URL).href;
	return {
		...{ id, url, title: row.title, excerpt: row.excerpt ?? '' },
		picture: new URL(pictures.post(row.slug), getEnv().SITE_URL).href,
		...{ createdAt: row.createdAt, publishedAt: row.publishedAt },
	};
}
