import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EditedPost } from '#src/features/posts/editing.api.ts';
import type { PostSummary } from '#src/features/posts/post.ts';
import { SECOND } from '#src/lib/dates.ts';
import { startHost, type Host } from '#tests/support/host.ts';
import { gather, type Phase } from './crowd.ts';

/** By when a change must be live again; later than that it counts as never. */
const RECOVERY_MS = 120 * SECOND;

export type Outcome = Phase & {
	times: number;
	/** Seconds from the end of the fault until a change of an article is on its page; NaN where it never was. */
	recovery: number;
};

/** A server and its crowd: faults come and go, and who was there sees what became of it. */
export async function openScene(env: Record<string, string>) {
	let host: Host = await startHost(env);
	// Later starts come back to the same address.
	const fixed = { ...env, PORT: new URL(host.address).port };
	const posts = (await (await fetch(`${host.address}/api/posts`)).json()) as PostSummary[];
	const crowd = gather(host.address, posts);
	const outcomes: Outcome[] = [];
	const told = posts[0]!;

	/** Asks for a change as often as it takes. Returns what the page will say of it. */
	async function change(until: number, more: object = {}): Promise<string | undefined> {
		while (Date.now() < until) {
			try {
				const at = `/api/admin/posts/${told.id}`;
				const { content } = (await (await host.asAdmin('GET', at)).json()) as EditedPost;
				const changed = `${content.replace(/<p>Change .*?<\/p>/g, '')}<p>Change ${randomUUID()}.</p>`;
				const response = await host.asAdmin('PUT', at, { content: changed, ...more });
				if (response.ok) return ((await response.json()) as EditedPost).digest;
			} catch {
				// It does not answer yet.
			}
			await sleep(200);
		}
		return undefined;
	}

	async function live(): Promise<number> {
		const start = Date.now();
		const until = start + RECOVERY_MS;
		const digest = await change(until);
		while (digest && Date.now() < until) {
			const page = await fetch(`${host.address}/blog/${told.slug}`)
				.then((response) => response.text())
				.catch(() => '');
			if (page.includes(`data-digest="${digest}"`)) return (Date.now() - start) / 1000;
			await sleep(100);
		}
		return NaN;
	}

	return {
		posts,
		outcomes,
		get host() {
			return host;
		},
		change: () => change(Date.now() + 5000),
		/** Starts the server again after it ended. */
		async start(more: Record<string, string> = {}): Promise<void> {
			host = await startHost({ ...fixed, ...more });
		},
		/** Lets `work` do its harm and end it, and measures how long the site needs to be as before. */
		async suffer(
			fault: string,
			times: number,
			work: (phase: Phase) => Promise<void>,
		): Promise<Outcome> {
			console.log(`${fault}…`);
			const phase = crowd.enter(fault);
			await work(phase);
			const recovery = await live();
			const outcome = Object.assign(phase, { times, recovery });
			outcomes.push(outcome);
			return outcome;
		},
		async end(): Promise<void> {
			await crowd.end();
			await host.stop();
		},
	};
}
