import { eq, sql } from 'drizzle-orm';
import { setDb, type Db } from '#db/client.ts';
import {
	comments,
	enrollments,
	media,
	outbox,
	postCounts,
	posts,
	subscribers,
} from '#db/schema.ts';
import { mediaPath } from '#src/features/media/media.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { setEnv, parseEnv } from '#src/lib/env.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { idOf, makeDatabase } from './corpus.ts';
import { withFolder } from './folder.ts';
import { printTable } from './table.ts';

const POSTS = 10_000;
const SUBSCRIBERS = 100_000;
const COMMENTS = 20_000;
const IMAGES = 10_000;
const DELIVERIES = 10_000;
/** Days with views, and posts that are read on each. */
const DAYS = 365;
const READ_A_DAY = 1000;
const ROUNDS = 40;

const SOURCES = ['Newsletter Signup Form', 'Newsletter Button', 'Floating Newsletter', null];

const CALLS = [
	'/api/admin/home',
	'/api/admin/waiting',
	'/api/admin/posts',
	'/api/admin/posts?q=gradient',
	'/api/admin/posts?sort=title&page=100',
	'/api/admin/comments',
	'/api/admin/comments?state=waiting',
	'/api/admin/comments?q=reader-77',
	`/api/admin/comments?post=${idOf(7)}`,
	'/api/admin/subscribers',
	'/api/admin/subscribers?sort=email&page=4000',
	'/api/admin/subscribers?sort=-source&state=inactive',
	'/api/admin/subscribers?q=reader-777',
	'/api/admin/subscribers?q=nobody',
	'/api/admin/subscribers/counts',
	'/api/admin/numbers?days=30',
	'/api/admin/numbers?days=365',
	'/api/admin/media',
	'/api/admin/media?page=200',
	'/api/admin/media?q=photo-77',
	'/api/admin/media?show=unused',
	'/api/admin/media?show=undescribed',
	`/api/admin/media-uses?ids=${imageId(0)}`,
	'/api/admin/mail',
	'/api/admin/mail?page=400',
	'/api/admin/mail?state=failed',
	'/api/admin/mail?q=reader-777',
	'/api/admin/enrollments',
	'/api/admin/audit',
];

/** Returns the id of an image. */
function imageId(number: number): string {
	return `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;
}

/** Measures each list of the admin area, through its function, with 10,000 posts and 100,000 subscribers. */
export async function benchAdmin(): Promise<void> {
	await withFolder(async (folder) => {
		setEnv(parseEnv({ SECRET: 'a secret that only the benchmark knows' }));
		const db = await makeDatabase(`file:${folder}/site.db`, POSTS);
		await fill(db);
		setDb(db);
		const fetcher = await asAdmin(db);
		const rows: string[][] = [];
		for (const path of CALLS) {
			const times: number[] = [];
			let bytes = 0;
			for (let round = 0; round < ROUNDS; round++) {
				const start = performance.now();
				const response = await fetcher(path);
				const text = await response.text();
				times.push(performance.now() - start);
				if (!response.ok) throw new Error(`${path} answers ${response.status}: ${text}`);
				bytes = text.length;
			}
			times.sort((a, b) => a - b);
			const at = (share: number) => times[Math.floor((times.length - 1) * share)]!.toFixed(1);
			console.log(`${path}: ${at(0.5)} ms`);
			rows.push([path, `${at(0.5)} ms`, `${at(0.99)} ms`, `${(bytes / 1024).toFixed(1)} KB`]);
		}
		const start = performance.now();
		const file = await (await fetcher('/api/admin/subscribers/export')).text();
		const took = performance.now() - start;
		rows.push([
			'/api/admin/subscribers/export',
			`${took.toFixed(0)} ms`,
			'',
			`${(file.length / 1024).toFixed(0)} KB`,
		]);
		printTable(['call', 'p50', 'p99', 'answer'], rows);
		db.$client.close();
	});
}

async function fill(db: Db): Promise<void> {
	const now = Date.now();
	await insert(SUBSCRIBERS, 1000, (numbers) =>
		db.insert(subscribers).values(
			numbers.map((number) => ({
				email: `reader-${number}@example.com`,
				active: number % 10 > 0,
				source: SOURCES[number % SOURCES.length]!,
				createdAt: new Date(now - number * 5 * MINUTE),
			})),
		),
	);
	await insert(COMMENTS, 1000, (numbers) =>
		db.insert(comments).values(
			numbers.map((number) => ({
				postId: idOf(number % POSTS),
				author: `Reader ${number}`,
				email: `reader-${number}@example.com`,
				content: 'The second figure is what convinced me. Which seed did you use for it?',
				approved: number % 50 > 0,
				createdAt: new Date(now - number * HOUR),
			})),
		),
	);
	await insert(IMAGES, 500, (numbers) =>
		db.insert(media).values(
			numbers.map((number) => ({
				id: imageId(number),
				name: `photo-${number}.jpg`,
				type: 'image/jpeg',
				...{ width: 1600, height: 1200, size: 40_000 },
				alt: number % 3 > 0 ? `Measurement ${number} on the bench` : '',
				digest: String(number).padStart(64, '0'),
				createdAt: new Date(now - number * HOUR),
				bytes: Buffer.alloc(40_000),
			})),
		),
	);
	// Each second image is in the text of a post.
	await insert(IMAGES / 2, 500, async (numbers) => {
		for (const number of numbers) {
			const image = `<img src="${mediaPath(imageId(2 * number))}" alt="">`;
			await db
				.update(posts)
				.set({ content: sql`${posts.content} || ${image}` })
				.where(eq(posts.id, idOf(number % POSTS)));
		}
	});
	await insert(DELIVERIES, 1000, (numbers) =>
		db.insert(outbox).values(
			numbers.map((number) => ({
				kind: 'letter',
				key: `letter ${number}`,
				recipient: `reader-${number}@example.com`,
				payload: {},
				attempts: 1,
				...(number % 100 === 0
					? { failedAt: new Date(now), lastError: 'There is no such mailbox' }
					: { deliveredAt: new Date(now) }),
				createdAt: new Date(now - number * MINUTE),
			})),
		),
	);
	await insert(DELIVERIES, 1000, (numbers) =>
		db.insert(enrollments).values(
			numbers.map((number) => ({
				email: `reader-${number}@example.com`,
				createdAt: new Date(now - number * MINUTE),
			})),
		),
	);
	const today = Math.floor(now / DAY);
	await insert(DAYS, 1, ([day]) =>
		db.insert(postCounts).values(
			Array.from({ length: READ_A_DAY }, (_, index) => ({
				postId: idOf((index * 10 + day!) % POSTS),
				day: today - day!,
				views: 1 + ((index * 31) % 40),
				shares: index % 9 === 0 ? 1 : 0,
			})),
		),
	);
	await db.run(sql`analyze`);
	console.log(
		`${await db.$count(posts)} posts, ${await db.$count(subscribers)} subscribers, ${await db.$count(comments)} comments`,
	);
}

async function insert(
	count: number,
	chunk: number,
	add: (numbers: number[]) => Promise<unknown>,
): Promise<void> {
	for (let start = 0; start < count; start += chunk) {
		const length = Math.min(chunk, count - start);
		await add(Array.from({ length }, (_, index) => start + index));
	}
}
