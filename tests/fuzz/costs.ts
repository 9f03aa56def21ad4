/** Measures what the worst input of each parser costs: the server's thread, beside a harmless one of the same size. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '#db/client.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { loadFunctions } from '#src/build/functions.ts';
import { routeFunctions } from '#src/host/router.ts';
import { listen } from '#src/host/server.ts';
import { openSession } from '#tests/support/admin.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';
import { FRESH, pairsOf, type Asking } from './hostile.ts';
import { storedSite } from '#tests/support/stored-site.ts';

export type Cost = {
	name: string;
	isAdmin: boolean;
	/** Size of the hostile request. */
	bytes: number;
	/** Status of the answer to it. */
	status: number;
	/** Milliseconds of the thread for one request, the median of all rounds. */
	plain: number;
	hostile: number;
};

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/**
 * Sends each pair to a server in this process, `rounds` times `each` requests of a kind: a clock of the processor ticks
 * in milliseconds.
 */
export async function measureCosts(
	db: Db,
	{ rounds, each }: { rounds: number; each: number },
): Promise<Cost[]> {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const folder = await mkdtemp(join(tmpdir(), 'costs-'));
	await mkdir(join(folder, 'blog'));
	for (const name of ['index.html', '404.html', '404-article.html', 'blog/one.html']) {
		await writeFile(join(folder, name), `<h1>${name}</h1></html>`);
	}
	const { id: categoryId } = await makeCategory(db, { name: 'Hostile' });
	const { id: postId } = await makePost(db, { categoryId, tags: ['A'] });
	const known = { postId, categoryId, cookie: await openSession(db) };
	const functions = routeFunctions(await loadFunctions());
	const server = await listen({ host: '127.0.0.1', port: 0, trustProxy: true });
	server.setContent({ site: await storedSite(folder), functions });
	server.open();
	const costs: Cost[] = [];
	try {
		for (const { name, plain, hostile, isAdmin = false } of pairsOf(known)) {
			const times = { plain: [] as number[], hostile: [] as number[] };
			// The first ones load what there is to load, and do not count.
			await send(server.port, bytesOf(plain));
			const status = Number(
				/^HTTP\/1\.1 (\d{3}) /.exec(await send(server.port, bytesOf(hostile)))?.[1],
			);
			for (let round = 0; round < rounds; round++) {
				times.plain.push(await costOf(server.port, plain, each));
				times.hostile.push(await costOf(server.port, hostile, each));
				await functions.settle();
			}
			costs.push({
				name,
				isAdmin,
				bytes: bytesOf(hostile).length,
				status,
				plain: median(times.plain),
				hostile: median(times.hostile),
			});
		}
	} finally {
		await server.close();
		await rm(folder, { recursive: true, force: true });
	}
	return costs;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Milliseconds of this thread for a request and its answer, on average. */
async function costOf(port: number, asking: Asking, count: number): Promise<number> {
	const requests = Array.from({ length: count }, () => bytesOf(asking));
	const before = process.threadCpuUsage();
	for (const bytes of requests) await send(port, bytes);
	const { user, system } = process.threadCpuUsage(before);
	return (user + system) / 1000 / count;
}

let sent = 0;

/** A request as it goes over the wire: from an address that has not asked before, so that no limit holds it. */
function bytesOf({ method = 'GET', target = '/', headers, body = '', chunk }: Asking): Buffer {
	sent++;
	const text = body.replace(FRESH, `reader-${sent}@example.com`);
	const size = Buffer.byteLength(text);
	const framing = chunk ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(size) };
	const all = {
		Host: 'localhost',
		Connection: 'close',
		'User-Agent': BROWSER,
		'X-Forwarded-For': `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
		...(method !== 'GET' && framing),
		...headers,
	};
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	const pieces = chunk ? chunked(text, chunk) : text;
	return Buffer.from([`${method} ${target} HTTP/1.1`, ...lines, '', pieces].join('\r\n'));
}

function chunked(text: string, size: number): string {
	const count = Math.ceil(text.length / size);
	const pieces = Array.from({ length: count }, (_, index) => {
		const piece = text.slice(index * size, (index + 1) * size);
		return `${piece.length.toString(16)}\r\n${piece}\r\n`;
	});
	return `${pieces.join('')}0\r\n\r\n`;
}

/** Sends a request, and answers all that comes back. */
function send(port: number, bytes: Buffer): Promise<string> {
	return new Promise((resolve) => {
		let said = '';
		const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
		socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
		socket.on('error', () => {});
		socket.on('close', () => resolve(said));
	});
}
