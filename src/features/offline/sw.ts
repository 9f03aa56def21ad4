/** The service worker: pages come from the network, or if that fails or is slow from the saved ones. Bundled by the build. */
import { assetsIn } from './assets.ts';
import { NEWS, type News } from './news.ts';
import { isAsset, ownPage } from './own.ts';

/** The parts of a service worker's global scope that are used here. */
declare const self: WorkerScope;
type WorkerScope = EventTarget & {
	location: { origin: string };
	caches: CacheStorage;
	fetch: typeof fetch;
	skipWaiting(): Promise<void>;
	clients: { claim(): Promise<void> };
	/** The bytes of each file below /_astro/ by its path, from the build. */
	sizes: Record<string, number>;
};
type WaitingEvent = Event & { waitUntil(work: Promise<unknown>): void };
type WorkerMessage = WaitingEvent & { data: { keep: string[] } };
type WorkerFetch = WaitingEvent & {
	request: Request;
	respondWith(response: Promise<Response>): void;
};

/** Lists the saved articles, and stands in for an unavailable page. */
const offlinePage = '/saved';
/** Milliseconds that a reader waits for the line before a kept copy opens, and that any request may take. */
const LIMITS = { reader: 3000, request: 20_000 };
const openPages = () => self.caches.open('pages');
const openAssets = () => self.caches.open('assets');
const pathOf = (address: string) => new URL(address, self.location.origin).pathname;
/** The last change of the caches: they run one after the other. None asks anything of the network, so that none waits for a line. */
let last: Promise<unknown> = Promise.resolve();
const enqueue = <Result>(work: () => Promise<Result>): Promise<Result> => {
	const next = last.then(work);
	last = next.catch(() => {});
	return next;
};
/** The pages that the newest message wants, and those that are being loaded for the first time. */
let wanted: ReadonlySet<string> = new Set();
const loading = new Map<string, Promise<boolean>>();
/** Ends when the pages are as the newest code wants them. */
let renewing: Promise<void> | undefined;

/** The site's own answer for a page: the page with its address, or that there is none. */
type Answer = { kind: 'page' | 'missing'; html: string; url: string; init: ResponseInit };

/** Asks the line for a page. Returns nothing, or throws, unless the site itself answers, and whole. */
async function ask(address: string): Promise<Answer | undefined> {
	const response = await self.fetch(address, {
		cache: 'no-cache',
		headers: { Accept: 'text/html' },
		signal: AbortSignal.timeout(LIMITS.request),
	});
	const { status, url } = response;
	const html = await response.text();
	const kind = ownPage(html, pathOf(url));
	if (!kind || response.ok !== (kind === 'page')) return undefined;
	if (kind === 'missing' && status !== 404 && status !== 410) return undefined;
	const headers = new Headers(response.headers);
	// They are of the body as it was sent.
	for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name);
	return { kind, html, url, init: { status, headers } };
}

/** Returns a script, style sheet, font or picture, or nothing where the site has none. Throws if the line brings something else. */
async function loadAsset(
	path: string,
	cache: RequestCache = 'default',
): Promise<Response | undefined> {
	const response = await self.fetch(path, { cache, signal: AbortSignal.timeout(LIMITS.request) });
	if (response.status === 404) return undefined;
	const { headers } = response;
	const body = await response.blob();
	const length = headers.has('Content-Encoding') ? null : headers.get('Content-Length');
	const isCut = body.size < Number(self.sizes[path] ?? length ?? 0);
	// The browser itself takes such an answer for whole, and keeps it.
	if (isCut && cache === 'default') return loadAsset(path, 'reload');
	if (!response.ok || isCut || !isAsset(path, headers.get('Content-Type')))
		throw new Error(`${path} did not come`);
	return new Response(body, { headers: { 'Content-Type': headers.get('Content-Type')! } });
}

/**
 * Returns what a text needs, and what that needs: loaded, or undefined where it is kept. Throws if something that was built
 * does not come; a picture may be missing.
 */
async function gather(text: string): Promise<Map<string, Response | undefined>> {
	const assets = await openAssets();
	const found = new Map<string, Response | undefined>();
	async function add(path: string): Promise<void> {
		found.set(path, undefined);
		const kept = await assets.match(path);
		const isUsable = kept && isAsset(path, kept.headers.get('Content-Type'));
		const response = isUsable
			? kept
			: await loadAsset(path).catch((error: unknown) => {
					if (path.startsWith('/_astro/')) throw error;
					return undefined;
				});
		if (!response) return void found.delete(path);
		if (!isUsable) found.set(path, response);
		if (/\.(js|css)$/.test(path)) await addAll(await response.clone().text());
	}
	const addAll = (needing: string) =>
		Promise.all(
			assetsIn(needing)
				.filter((path) => !found.has(path))
				.map(add),
		);
	await addAll(text);
	return found;
}

/** Keeps a page after all that it needs, if it is still wanted then. Returns whether it is kept. */
async function keep(
	path: string,
	{ html, init }: Answer,
	isWanted: () => Promise<boolean> | boolean,
): Promise<boolean> {
	const needed = await gather(html);
	return enqueue(async () => {
		if (!(await isWanted())) return false;
		const assets = await openAssets();
		try {
			for (const [asset, response] of needed) {
				if (response) await assets.put(asset, response);
				else if (!(await assets.match(asset))) return false;
			}
			await (await openPages()).put(path, new Response(html, init));
		} catch {
			// There is no more room.
			await prune();
			return false;
		}
		return true;
	});
}

async function keptPaths(): Promise<string[]> {
	return (await (await openPages()).keys()).map(({ url }) => pathOf(url));
}
const isKept = async (path: string) => (await keptPaths()).includes(path);

/** Loads a page for the first time. Returns whether it is kept. */
function load(path: string): Promise<boolean> {
	const known = loading.get(path);
	if (known) return known;
	const work = ask(path)
		.then(
			(answer) => answer?.kind === 'page' && keep(path, answer, () => wanted.has(path)),
			() => false,
		)
		.catch(() => false)
		.finally(() => loading.delete(path));
	loading.set(path, work);
	return work;
}

/** Renews a kept page by what the site answers, or removes one that the site has no more. */
async function renew(path: string, answer: Answer | undefined): Promise<void> {
	if (answer?.kind === 'page') await keep(path, answer, () => isKept(path));
	else if (answer) await enqueue(async () => (await openPages()).delete(path));
}

/** Returns the assets that the kept pages need. */
async function neededAssets(): Promise<Set<string>> {
	const [pages, assets] = await Promise.all([openPages(), openAssets()]);
	const needed = new Set<string>();
	const waiting: (Response | undefined)[] = await Promise.all(
		(await pages.keys()).map((key) => pages.match(key)),
	);
	for (const response of waiting) {
		for (const path of assetsIn((await response?.text()) ?? '')) {
			if (needed.has(path)) continue;
			needed.add(path);
			if (/\.(js|css)$/.test(path)) waiting.push(await assets.match(path));
		}
	}
	return needed;
}

/** Removes assets that no kept page needs, but for these. */
async function prune(besides: ReadonlySet<string> = new Set()): Promise<void> {
	const [assets, needed] = await Promise.all([openAssets(), neededAssets()]);
	for (const key of await assets.keys()) {
		const { pathname, search } = new URL(key.url);
		const path = pathname + search;
		if (!needed.has(path) && !besides.has(path)) await assets.delete(key);
	}
}

/** Keeps exactly these pages, and tells of each that it is kept or not. The first ones are the newest. */
async function keepExactly(paths: readonly string[]): Promise<void> {
	wanted = new Set([offlinePage, ...paths]);
	await enqueue(async () => {
		const gone = (await keptPaths()).filter((path) => !wanted.has(path));
		for (const path of gone) await (await openPages()).delete(path);
		if (gone.length > 0) await prune();
	});
	const news = new BroadcastChannel(NEWS);
	const tend = async (path: string) => {
		// An attempt from before, on a line that was bad then, is no answer for now.
		const isTried = loading.has(path);
		const kept = (await isKept(path)) || (await load(path)) || (isTried && (await load(path)));
		const told: News = { path, isKept: kept };
		news.postMessage(told);
	};
	const list = tend(offlinePage);
	for (const path of paths) if (wanted.has(path)) await tend(path);
	await list;
	news.close();
}

/** After new code: renews all pages. What the former ones needed stays until the next time, for tabs that show them. */
async function renewAll(): Promise<void> {
	const before = await neededAssets();
	for (const path of await keptPaths()) {
		await ask(path)
			.then((answer) => renew(path, answer))
			.catch(() => {});
	}
	await enqueue(() => prune(before));
}

const pause = () => new Promise<undefined>((resolve) => setTimeout(resolve, LIMITS.reader));

/** Responds for a kept page: as the site does, or with the copy if it does not in time. */
async function respondWithKept(event: WorkerFetch, path: string, copy: Response) {
	const answer = ask(event.request.url).catch(() => undefined);
	event.waitUntil(answer.then((found) => renew(path, found)).catch(() => {}));
	const found = await Promise.race([answer, pause()]);
	if (!found) return copy;
	if (pathOf(found.url) !== path) return Response.redirect(found.url);
	return new Response(found.html, found.init);
}

async function respondWithPage(event: WorkerFetch, path: string): Promise<Response> {
	const pages = await openPages();
	const copy = await pages.match(path);
	if (copy) return respondWithKept(event, path, copy);
	try {
		return await self.fetch(event.request);
	} catch {
		return (await pages.match(offlinePage)) ?? Response.error();
	}
}

const keptAsset = async (request: Request) =>
	(await openAssets()).match(request, { ignoreVary: true });

/**
 * Returns what the line brings. Throws if nothing begins to come in time: a request that hangs keeps every later one for the
 * same file waiting, even after its page is gone.
 */
async function askInTime(request: Request): Promise<Response> {
	const ends = new AbortController();
	const end = () => ends.abort();
	request.signal.addEventListener('abort', end);
	const limit = setTimeout(end, LIMITS.request);
	return self.fetch(request, { signal: ends.signal }).finally(() => clearTimeout(limit));
}

async function respondWithAsset(request: Request): Promise<Response> {
	return (await keptAsset(request)) ?? askInTime(request);
}

async function respondWithPicture(request: Request): Promise<Response> {
	const copy = await keptAsset(request);
	if (!copy) return askInTime(request);
	const answer = loadAsset(request.url).catch(() => undefined);
	return (await Promise.race([answer, pause()])) ?? copy;
}

function on<Kind extends WaitingEvent>(name: string, listener: (event: Kind) => void): void {
	self.addEventListener(name, (event) => listener(event as Kind));
}
on('install', (event) => event.waitUntil(self.skipWaiting()));
on('activate', (event) => {
	event.waitUntil(self.clients.claim());
	// Pages are answered for only when an activation has ended: it must not wait for the line.
	renewing = renewAll();
});
on<WorkerMessage>('message', (event) => {
	event.waitUntil(Promise.all([renewing, keepExactly(event.data.keep.map(pathOf))]));
});
on<WorkerFetch>('fetch', (event) => {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (request.method !== 'GET' || origin !== self.location.origin) return;
	if (request.mode === 'navigate') event.respondWith(respondWithPage(event, pathname));
	else if (pathname.startsWith('/_astro/')) event.respondWith(respondWithAsset(request));
	else if (request.destination === 'image') event.respondWith(respondWithPicture(request));
});
