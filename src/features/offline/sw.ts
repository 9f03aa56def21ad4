/** The service worker: pages come from the network, or if that fails from the saved ones. Bundled by the build. */
import { assetsIn } from './assets.ts';

/** The parts of a service worker's global scope that are used here. */
declare const self: WorkerScope;
type WorkerScope = EventTarget & {
	location: { origin: string };
	caches: CacheStorage;
	fetch: typeof fetch;
	skipWaiting(): Promise<void>;
	clients: { claim(): Promise<void> };
};
type WaitingEvent = Event & { waitUntil(work: Promise<unknown>): void };
type WorkerMessage = WaitingEvent & { data: { keep: string[] } };
type WorkerFetch = WaitingEvent & {
	request: Request;
	respondWith(response: Promise<Response>): void;
};

/** Lists the saved articles, and stands in for an unavailable page. */
const offlinePage = '/saved';
const openPages = () => self.caches.open('pages');
const openAssets = () => self.caches.open('assets');
/** Work runs one after the other, so that saving and removing end in the order in which they were requested. */
let last: Promise<unknown> = Promise.resolve();
const enqueue = (work: () => Promise<unknown>) => (last = last.then(work).catch(() => {}));

async function cacheAsset(path: string, seen: Set<string>): Promise<void> {
	if (seen.has(path)) return;
	seen.add(path);
	const assets = await openAssets();
	// Its dependencies were cached before it.
	if (await assets.match(path)) return;
	const response = await self.fetch(path);
	if (!response.ok) return;
	if (/\.(js|css)$/.test(path)) {
		const text = await response.clone().text();
		for (const needed of assetsIn(text)) await cacheAsset(needed, seen);
	}
	await assets.put(path, response);
}

/** Caches a page after everything that it needs. */
async function cachePage(path: string, response: Response): Promise<void> {
	const seen = new Set<string>();
	const html = await response.text();
	await Promise.all(assetsIn(html).map((asset) => cacheAsset(asset, seen)));
	// A redirected response would be refused for a navigation.
	const { status, headers } = response;
	await (await openPages()).put(path, new Response(html, { status, headers }));
}

/** Caches a page's current version, or removes one that is permanently gone. */
async function refresh(path: string): Promise<void> {
	const response = await self.fetch(path, { cache: 'no-cache' });
	if (response.ok) await cachePage(path, response);
	else if (response.status === 404 || response.status === 410) {
		await (await openPages()).delete(path);
	}
}

async function cachedPaths(): Promise<string[]> {
	return (await (await openPages()).keys()).map(({ url }) => new URL(url).pathname);
}

/** Removes assets that no cached page needs. */
async function prune(): Promise<void> {
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
	for (const key of await assets.keys()) {
		const { pathname, search } = new URL(key.url);
		if (!needed.has(pathname + search)) await assets.delete(key);
	}
}

async function cacheExactly(paths: string[]): Promise<void> {
	const pages = await openPages();
	const kept = await cachedPaths();
	const gone = kept.filter((path) => path !== offlinePage && !paths.includes(path));
	for (const path of gone) await pages.delete(path);
	for (const path of [offlinePage, ...paths]) {
		if (!kept.includes(path)) await refresh(path).catch(() => {});
	}
	if (gone.length > 0) await prune();
}

async function respondWithPage(event: WorkerFetch, path: string): Promise<Response> {
	try {
		const response = await self.fetch(event.request);
		if (response.ok) {
			const copy = response.clone();
			event.waitUntil(
				enqueue(async () => {
					if ((await cachedPaths()).includes(path)) await cachePage(path, copy);
				}),
			);
		}
		return response;
	} catch {
		const pages = await openPages();
		return (await pages.match(path)) ?? (await pages.match(offlinePage)) ?? Response.error();
	}
}

async function respondWithAsset(request: Request): Promise<Response> {
	const options = { ignoreVary: true };
	return (await (await openAssets()).match(request, options)) ?? self.fetch(request);
}

async function respondWithPicture(request: Request): Promise<Response> {
	try {
		return await self.fetch(request);
	} catch {
		return respondWithAsset(request);
	}
}

function on<Kind extends WaitingEvent>(name: string, listener: (event: Kind) => void): void {
	self.addEventListener(name, (event) => listener(event as Kind));
}
on('install', (event) => event.waitUntil(self.skipWaiting()));
on('activate', (event) => {
	event.waitUntil(self.clients.claim());
	event.waitUntil(
		enqueue(async () => {
			const kept = await cachedPaths();
			for (const path of new Set([offlinePage, ...kept])) await refresh(path).catch(() => {});
			await prune();
		}),
	);
});
on<WorkerMessage>('message', (event) => {
	event.waitUntil(enqueue(() => cacheExactly(event.data.keep)));
});
on<WorkerFetch>('fetch', (event) => {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (request.method !== 'GET' || origin !== self.location.origin) return;
	if (request.mode === 'navigate') event.respondWith(respondWithPage(event, pathname));
	else if (pathname.startsWith('/_astro/')) event.respondWith(respondWithAsset(request));
	else if (request.destination === 'image') event.respondWith(respondWithPicture(request));
});
