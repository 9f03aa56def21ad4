/** Readers and writers who remember what they were told. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostSummary } from '#src/features/posts/post.ts';

const READERS = 6;
const WRITERS = 3;
const READ_PAUSE_MS = 20;
const WRITE_PAUSE_MS = 60;
const PATIENCE_MS = 15_000;
/** So rarely that the limit of all reports in an hour is not met. */
const REPORTED_EVERY = 30;
const STACK = 'TypeError: x\n at show (https://chaos.example/_astro/Likes.Cx3dP2_a.js:1:22)';

/** Everything that happened while a fault lasted. */
export type Phase = {
	fault: string;
	/** Ids of comments and addresses of subscribers whose storing was answered with 201. */
	comments: string[];
	emails: string[];
	/** Number of errors of pages whose report was answered with 200: each is two single statements. */
	reports: number;
	/** Writes that were answered otherwise, by status; 0 is no answer. */
	refused: Record<number, number>;
	/** The longest that an acknowledged write took, in milliseconds. */
	slowest: number;
	/** The longest that a page took, in milliseconds. */
	slowestPage: number;
	pages: number;
	/** Pages that were not there: no answer, or 503 with `Retry-After`. */
	absent: number;
	/** Pages that were answered and wrong. */
	broken: string[];
};

const newPhase = (fault: string): Phase => ({
	fault,
	comments: [],
	emails: [],
	reports: 0,
	refused: {},
	slowest: 0,
	slowestPage: 0,
	pages: 0,
	absent: 0,
	broken: [],
});

let made = 0;

/** Lets people read and write at `address` until `end` is called. What they see is noted in the phase of that moment. */
export function gather(address: string, posts: PostSummary[]) {
	let phase = newPhase('before');
	let over = false;
	const paths = ['/', '/blog', '/states', '/about'].concat(
		posts.map(({ slug }) => `/blog/${slug}`),
	);

	async function read(): Promise<void> {
		const path = paths[Math.floor(Math.random() * paths.length)]!;
		const seen = phase;
		const began = performance.now();
		const answer = await ask(path, { headers: { 'Accept-Encoding': 'identity' } });
		if (!answer || (answer.status === 503 && answer.headers.has('Retry-After'))) {
			seen.absent++;
			return;
		}
		seen.pages++;
		seen.slowestPage = Math.max(seen.slowestPage, performance.now() - began);
		const { status, headers, body } = answer;
		// A page's tag is the digest of its bytes when it was built.
		const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
		if (status !== 200) seen.broken.push(`${path}: status ${status}`);
		else if (!/^<!doctype html>[^]*<\/html>\s*$/i.test(body.toString('utf8'))) {
			seen.broken.push(`${path}: is no whole page`);
		} else if (headers.get('ETag') !== `"${digest}"`) seen.broken.push(`${path}: other bytes`);
	}

	async function write(): Promise<void> {
		const number = ++made;
		const email = `reader-${number}@place-${number % 300}.example`;
		const post = posts[number % posts.length]!;
		const at = phase;
		const began = performance.now();
		const [path, body] =
			number % REPORTED_EVERY === 0
				? ['/api/errors', { message: at.fault, stack: STACK, path: '/blog' }]
				: number % 2 === 0
					? [
							'/api/comments',
							{ postId: post.id, author: 'Ada', email, content: `Remark number ${number}.` },
						]
					: ['/api/subscribers', { email }];
		const answer = await ask(path, {
			method: 'POST',
			headers: {
				'Content-Type': 'application/json',
				'X-Forwarded-For': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
			},
			body: JSON.stringify(body),
		});
		if (!answer || ![200, 201].includes(answer.status)) {
			at.refused[answer?.status ?? 0] = (at.refused[answer?.status ?? 0] ?? 0) + 1;
			return;
		}
		at.slowest = Math.max(at.slowest, performance.now() - began);
		if (path === '/api/errors') at.reports++;
		else if (path === '/api/comments')
			at.comments.push((JSON.parse(String(answer.body)) as { id: string }).id);
		else at.emails.push(email);
	}

	async function ask(path: string, init: RequestInit) {
		try {
			const signal = AbortSignal.timeout(PATIENCE_MS);
			const { status, headers, ...response } = await fetch(address + path, {
				...init,
				signal,
			}).then(async (one) => ({
				status: one.status,
				headers: one.headers,
				body: Buffer.from(await one.arrayBuffer()),
			}));
			return { status, headers, body: response.body };
		} catch {
			return undefined;
		}
	}

	const people = [
		...Array.from({ length: READERS }, () => [read, READ_PAUSE_MS] as const),
		...Array.from({ length: WRITERS }, () => [write, WRITE_PAUSE_MS] as const),
	].map(async ([act, pause]) => {
		while (!over) {
			await act();
			await sleep(pause);
		}
	});
	return {
		/** Begins a new phase and answers it. */
		enter(fault: string): Phase {
			return (phase = newPhase(fault));
		},
		async end(): Promise<void> {
			over = true;
			await Promise.all(people);
		},
	};
}
