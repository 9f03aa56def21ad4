import { createClient, type InArgs } from '@libsql/client';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { MINUTE } from '#src/lib/dates.ts';

// The lower bound: no parsing, rules, routes or headers; the statements that the project's functions
// run for the same requests, with the same settings of the database, in a process of their own.
const db = createClient({ url: process.env['DATABASE_URL']!, concurrency: 1, timeout: 5000 });
for (const setting of ['journal_mode = wal', 'synchronous = normal', 'foreign_keys = on']) {
	await db.execute(`pragma ${setting}`);
}

/** Not a row that was found to be damaged. */
const isReadable = (id: string, kind: string) =>
	`${id} not in (select subject_id from content_problems where kind = '${kind}')`;

const IS_PUBLIC = `p.deleted_at is null and p.published = ? and (p.published_at is null or p.published_at <= ?)
	and ${isReadable('p.id', 'row')}`;

const POST = `select p.id, p.title, p.slug, p.excerpt, p.content, p.featured_image, p.meta_title, p.meta_description,
	p.searched_as, p.related, p.author, p.category_id, p.published, p.featured, p.read_time, p.published_at, p.version,
	p.deleted_at, p.created_at, p.updated_at, p.changed_at, p.reviewed_at,
	case when ${isReadable('c.id', 'category row')} then c.name else '' end as category_name,
	case when ${isReadable('c.id', 'category row')} then c.slug else '' end as category_slug,
	(select json_group_array(json_object('id', t.id, 'name', t.name, 'slug', t.slug)) from (
		select t.id, t.name, t.slug from post_tags pt join tags t on t.id = pt.tag_id
		where pt.post_id = p.id and ${isReadable('t.id', 'tag row')} order by pt.position, t.name) t) as tags
	from posts p inner join categories c on c.id = p.category_id
	where p.slug = ? and ${IS_PUBLIC}`;

const LIMIT = `insert into rate_limits (id, key, created_at) select ?, ?, ?
	where (select count(*) from rate_limits where key = ? and created_at > ?) < ? returning id`;

const SETTINGS = `select key, value from settings`;

const COMMENT = `insert into comments (id, post_id, author, email, content, approved, reviewed_at, deleted_at, parent_id, by_owner,
		pinned_at, edited_at, notify, earlier, created_at, updated_at)
	select ?, p.id, ?, ?, ?, case (select value from settings where key = 'moderation')
		when '"hold-all"' then 0
		when '"hold-first"' then exists (select 1 from comments known
			where known.email = ? and known.approved and known.id in (select value from json_each('[]')))
		else 1 end,
		null, null, coalesce(parent.parent_id, parent.id), 0, null, null, 0, '[]', ?, ?
	from posts p left join comments parent on parent.id = null and parent.post_id = p.id and parent.approved
	where p.id = ? and ${IS_PUBLIC}
	returning id, post_id, author, email, content, approved, reviewed_at, deleted_at, parent_id, by_owner, pinned_at, edited_at,
		notify, earlier, created_at, updated_at`;

/** The notice to the owner, and those to whom the comment answers. */
const NOTICE = `insert or ignore into outbox (id, kind, key, recipient, payload, due_at, created_at)
	select ?, 'comment', ?, '', ?, ?, ? where exists (select 1 from comments where id = ?)`;
const LAST = `coalesce((select max(coalesce(o.delivered_at, o.due_at)) from outbox o where o.recipient = asker.email
	and o.kind in ('approved', 'answer') and json_extract(o.payload, '$.thread') = asker.thread), 0) + ?`;
const ANSWERS = `insert or ignore into outbox (id, kind, key, recipient, payload, due_at, created_at)
	select lower(hex(randomblob(16))), 'answer', asker.thread || ' ' || asker.email || ' ' || max(?, ${LAST}), asker.email,
		json_object('id', asker.id, 'thread', asker.thread, 'since', ?), max(?, ${LAST}), ?
	from (select min(asker.id) as id, asker.email, reply.parent_id as thread from comments reply join comments asker
		on (asker.id = reply.parent_id or asker.parent_id = reply.parent_id) and asker.email <> reply.email
		and asker.email <> '' and asker.notify and asker.approved
		where reply.id in (?) and reply.approved group by asker.email, reply.parent_id) asker
	where not exists (select 1 from outbox o where o.recipient = asker.email and o.kind = 'answer' and o.due_at is not null
		and o.leased_until is null and json_extract(o.payload, '$.thread') = asker.thread)`;

async function firstRow(sql: string, args: InArgs) {
	return (await db.execute({ sql, args })).rows[0];
}

async function answer(request: IncomingMessage): Promise<unknown> {
	const now = Date.now();
	const since = now - 10 * MINUTE;
	if (request.method === 'GET') return firstRow(POST, [request.url!.split('/').at(-1)!, 1, now]);
	const { postId, author, email, content } = JSON.parse(await text(request)) as Record<
		string,
		string
	>;
	const consume = (key: string, count: number) =>
		firstRow(LIMIT, [crypto.randomUUID(), key, now, key, since, count]);
	await consume(`comments:${String(request.headers['x-forwarded-for'])}`, 120);
	await firstRow(SETTINGS, []);
	await consume(`comments-email:${email} ${postId}`, 3);
	const id = crypto.randomUUID();
	const [added] = await db.batch(
		[
			[COMMENT, [id, author!, email!, content!, email!, now, now, postId!, 1, now]],
			[NOTICE, [crypto.randomUUID(), id, JSON.stringify({ id }), now, now, id]],
			[ANSWERS, [now, MINUTE, now, now, MINUTE, now, id]],
		],
		'write',
	);
	return added!.rows[0];
}

const server = createServer((request, response) => {
	answer(request).then(
		(body) => {
			response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify(body ?? null));
		},
		(error: unknown) => {
			console.error(error);
			response.writeHead(500).end();
		},
	);
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
