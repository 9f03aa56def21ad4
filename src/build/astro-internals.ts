import type { AstroIntegration, AstroPrerenderer } from 'astro';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getEnv } from '#src/lib/env.ts';
import { compareLists, ListMap } from '#src/lib/lists.ts';
import type { StaticPathsApp } from 'astro/runtime/prerender/static-paths.js';
import { BuildError, versionOf, type Progress } from './builds.ts';
import { linkOrCopy } from './file-store.ts';
import { filesIn, servedPath, type KeptFile, type PageKeys } from './site-files.ts';

type Report = (progress: Progress) => void;
type Path = Awaited<ReturnType<AstroPrerenderer['getStaticPaths']>>[number];
/** A page, with its path and its file. */
export type Page = {
	path: Path;
	file: string;
	/** The file's path in the site. */
	address: string;
	key: string | null;
	/** Its entry in what `getStaticPaths` returned, if its route has that. */
	entry?: object;
	/** The page as integrations are told of it; none for an endpoint. */
	told?: { pathname: string };
};

/** The parts of Astro's page bundle that we use; Astro's types do not describe it. */
type App = StaticPathsApp & {
	/** Entries of pages by route, which it asks for where they are not here. */
	routeCache: {
		clearAll(): void;
		set(route: Path['route'], known: { mod: PageModule; staticPaths: StaticEntries }): void;
	};
	getComponentByRoute: NonNullable<StaticPathsApp['getComponentByRoute']>;
	setInternals(internals: Internals): void;
	setOptions(options: object): void;
	render(request: Request, options: { routeData: Path['route'] }): Promise<Response>;
};
type PageModule = Awaited<ReturnType<NonNullable<StaticPathsApp['getComponentByRoute']>>>;
type StaticPathsOptions = Parameters<NonNullable<PageModule['getStaticPaths']>>[0];
type StaticEntries = object[] & { keyed: Map<string, object> };
/** Astro's data about its bundles while it renders pages. */
type Internals = {
	/** Style sheets by page. */
	pagesByKeys?: Map<string, { styles: unknown[] }>;
	entrySpecifierToBundleMap?: Map<string, string>;
};

/** Astro's page bundle as it is kept for later builds. */
type SavedRenderer = {
	/** File of the bundle to import. */
	entry: string;
	styles: [string, { styles: unknown[] }][];
	specifiers: [string, string][];
	/** Files of the site other than pages: scripts, styles, fonts and everything in public/. */
	assets: string[];
};

const BUNDLE = '.prerender';
const ASSETS = 'assets';
const DESCRIPTION = 'renderer.json';
/**
 * Pages that are compressed and written at once. Each takes megabytes outside of the heap, and many of them make V8 collect
 * garbage, which takes more than a second at 100,000 articles.
 */
const CONCURRENCY = 4;

type Rendering = {
	/** Digest that is a part of each page's cache key. */
	code: string;
	/** Takes the cache key of each page. */
	keys: PageKeys;
	report: Report;
};

/**
 * Saves the renderer of a build in `folder`, so that pages can be built without Astro. Astro itself renders pages only if it
 * is told how.
 */
export function saveRenderer(folder: string, rendering?: Rendering): AstroIntegration {
	const { code = '', keys = new Map<string, null>(), report } = rendering ?? {};
	const before = versionOf(join(folder, DESCRIPTION));
	let internals: Internals | undefined;
	let bundle = '';
	let entry: string | undefined;
	/** Why nothing can be saved: this version of Astro is built differently. Its own build continues. */
	let unsupported: string | undefined;
	return {
		name: 'renderer',
		hooks: {
			'astro:config:done': ({ config }) => {
				bundle = join(fileURLToPath(config.outDir), BUNDLE);
			},
			'astro:build:start': ({ setPrerenderer }) => {
				setPrerenderer((prerenderer) => {
					let done = 0;
					let total = 0;
					return {
						...prerenderer,
						async setup() {
							const names = await readdir(bundle).catch(() => []);
							entry = names.find((name) => name.startsWith('prerender-entry'));
							try {
								if (!entry) throw new Error(`${BUNDLE} holds no prerender-entry`);
								const { app } = await importApp(join(bundle, entry));
								if (!('routeCache' in app)) throw new Error('the app has no routeCache');
								const set = app.setInternals.bind(app);
								app.setInternals = (given) => set((internals = given));
							} catch (error) {
								unsupported = (error as Error).message;
							}
							await prerenderer.setup?.();
						},
						async getStaticPaths() {
							if (!rendering) return [];
							const paths = await prerenderer.getStaticPaths();
							try {
								for (const path of paths) keys.set(fileOf(path), keyOf(path, code));
								total = paths.length;
							} catch (error) {
								unsupported ??= (error as Error).message;
							}
							return paths;
						},
						async render(request, options) {
							report?.({ doing: 'Building pages', done: ++done, total });
							return prerenderer.render(request, options);
						},
					};
				});
			},
			'astro:build:generated': async ({ dir }) => {
				const { pagesByKeys, entrySpecifierToBundleMap } = internals ?? {};
				if (!pagesByKeys || !entrySpecifierToBundleMap) {
					unsupported ??= 'setInternals was not given pagesByKeys and entrySpecifierToBundleMap';
				}
				if (unsupported || !entry || !pagesByKeys || !entrySpecifierToBundleMap) {
					// The build that renders them says so.
					if (!rendering) return;
					console.warn(
						`Pages cannot be rendered without Astro's build, so every publish builds all of them: ${unsupported}.`,
					);
					return;
				}
				const kept: SavedRenderer = {
					entry,
					styles: [...pagesByKeys].map(([key, { styles }]) => [key, { styles }]),
					specifiers: [...entrySpecifierToBundleMap],
					assets: (await filesIn(fileURLToPath(dir))).filter(
						(name) => !name.startsWith(BUNDLE) && !keys.has(name),
					),
				};
				// Another process may be saving the same, and another one reading it.
				const part = `${folder}.${process.pid}`;
				await cp(bundle, part, { recursive: true });
				await linkFiles(fileURLToPath(dir), join(part, ASSETS), kept.assets);
				await writeFile(join(part, DESCRIPTION), JSON.stringify(kept));
				// Replaces only a renderer that was no use to this build: one that was saved meanwhile may be in use.
				if ((await versionOf(join(folder, DESCRIPTION))) === (await before)) {
					await rename(folder, `${part}.old`).catch(() => {});
					await rename(part, folder).catch(() => {});
				}
				for (const left of [part, `${part}.old`]) await rm(left, { recursive: true, force: true });
			},
		},
	};
}

/** Returns whether a build has saved a renderer in `folder`. */
export async function hasRenderer(folder: string): Promise<boolean> {
	return (await versionOf(join(folder, DESCRIPTION))) !== undefined;
}

/** Returns the renderer that a build with the same code has saved in `folder`, or undefined. */
export async function openRenderer(folder: string, code: string): Promise<Renderer | undefined> {
	const text = await readFile(join(folder, DESCRIPTION), 'utf8').catch(() => undefined);
	if (text === undefined) return undefined;
	const kept = JSON.parse(text) as SavedRenderer;
	const { app } = await importApp(join(folder, kept.entry));
	app.setInternals({
		pagesByKeys: new Map(kept.styles),
		entrySpecifierToBundleMap: new Map(kept.specifiers),
	});
	// None of our integrations adds scripts to pages by itself.
	app.setOptions({ settings: { scripts: [] }, logger: { options: { destination: logger } } });
	return new Renderer(app, code, { dir: join(folder, ASSETS), names: kept.assets });
}

/** Returns when a page is made: those that readers open first, the home page before articles, and what programs read at last. */
const rankOf = ({ address, told }: Page) =>
	told ? address.replace(/\/index\.html$/, '').split('/').length : Infinity;

/** Pages by the entries that listed them. */
const knownPages = new WeakMap<object, Page>();

/** The entries that each route listed last, and their pages. */
const listed = new WeakMap<Path['route'], { entries: object[]; pages: ListMap<object, Page> }>();

type Assets = { dir: string; names: string[] };

export type Update = {
	/** Takes a page from the last build if that has it with this cache key. Returns whether it has. */
	reuse: (path: string, key: string) => boolean;
	/** Returns the key that a page has in the last build if it differs in names alone from this one. */
	formerKey: (path: string, key: string) => string | undefined;
	/** Tells whether one more such page may be rendered, so many milliseconds after the first. */
	hasTimeForNames?: ((ms: number) => boolean) | undefined;
	/** Pages that the last build has for sure, with these keys. */
	known?: readonly Page[] | undefined;
	/** Takes a page that was rendered, by the name of its file. */
	write: (name: string, bytes: Buffer) => Promise<void>;
	/** Folder of the other files. */
	outDir: string;
	report: Report;
};

export type Updated = {
	/** Keys of the pages that were rendered. */
	keys: PageKeys;
	/** All pages: the same objects as last time, where they did not change. Those that were left are there as they were. */
	pages: readonly Page[];
	/** How many were left to the next build. */
	left: number;
	/** Pages that are not among the known ones, and those that were. */
	added: Page[];
	gone: Page[];
	/** Files other than pages. */
	assets: KeptFile[];
};

/** Renders pages without Astro's build. */
export class Renderer {
	readonly #app: App;
	readonly #code: string;
	readonly #assets: Assets;

	/** Use `openRenderer`. */
	constructor(app: App, code: string, assets: Assets) {
		this.#app = app;
		this.#code = code;
		this.#assets = assets;
	}

	/** Builds what Astro would, but renders only pages that cannot be reused. */
	async update({
		reuse,
		formerKey,
		hasTimeForNames = () => true,
		known = [],
		write,
		outDir,
		report,
	}: Update): Promise<Updated> {
		const all = await this.#listPages();
		const { added, gone } = compareLists(known, all);
		assertDistinct(all, added, gone);
		const changed = [
			...added.filter(({ address, key }) => key !== null && !reuse(address, key)),
			...all.filter(({ key }) => key === null),
		];
		const { urgent = [], named = [] } = Object.groupBy(changed, ({ address, key }) =>
			key !== null && formerKey(address, key) ? 'named' : 'urgent',
		);
		urgent.sort((one, other) => rankOf(one) - rankOf(other));
		await this.#provideEntries(changed);
		await rm(outDir, { recursive: true, force: true });
		await mkdir(outDir, { recursive: true });
		const keys: PageKeys = new Map();
		const render = async ({ path, file, key }: Page) => {
			await write(file, await this.#render(path));
			keys.set(file, key);
			report({ doing: 'Building pages', done: keys.size, total: changed.length });
		};
		await forEachConcurrently(urgent, render);
		/** Pages of the last build that stay for now: other objects, so that the next build does not take them for known. */
		const left = new Map<Page, Page>();
		const started = Date.now();
		await forEachConcurrently(named, async (page) => {
			const { address, key } = page;
			const former = formerKey(address, key!)!;
			if (hasTimeForNames(Date.now() - started) || !reuse(address, former)) return render(page);
			left.set(page, { ...page, key: former });
		});
		return {
			...{ keys, added, gone, assets: await this.#placeAssets(outDir) },
			...{ pages: all.map((page) => left.get(page) ?? page), left: left.size },
		};
	}

	/** Renders the page of one route, which reads nothing but settings, and returns the files other than pages. */
	async renderAlone(name: string, outDir: string): Promise<KeptFile[]> {
		const found = this.#app.manifest.routes.find(({ routeData }) => routeData.route === name);
		const path: Path = { pathname: name, route: found!.routeData };
		await makeFolders(outDir, []);
		await writeFile(join(outDir, fileOf(path)), await this.#render(path));
		return this.#placeAssets(outDir);
	}

	/**
	 * Returns all pages. Astro writes and checks the address of each entry that a route lists: of those that it lists as before,
	 * the same objects, the page is known.
	 */
	async #listPages(): Promise<Page[]> {
		// Slow to load and rarely needed.
		const { StaticPaths } = await import('astro/runtime/prerender/static-paths.js');
		const pages: Page[] = [];
		for (const { routeData: route } of this.#app.manifest.routes) {
			const last = listed.get(route) ?? { entries: [], pages: new ListMap<object, Page>() };
			let entries: object[] | undefined;
			let unknown: object[] = [];
			const view = {
				manifest: { ...this.#app.manifest, routes: [{ routeData: route }] },
				routeCache: { get: () => undefined, set() {} },
				getComponentByRoute: async () => {
					const page = await this.#app.getComponentByRoute(route);
					const getStaticPaths = async (options: StaticPathsOptions) => {
						entries = await page.getStaticPaths!(options);
						unknown = compareLists(last.entries, entries).added.filter(
							(entry) => knownPages.get(entry)?.path.route !== route,
						);
						return unknown;
					};
					return { ...page, ...(page.getStaticPaths && { getStaticPaths }) };
				},
			};
			const found = await new StaticPaths(view as unknown as StaticPathsApp).getAll();
			const made = found.map((path): Page => {
				const file = fileOf(path);
				const page = { path, file, address: `/${file}`, key: keyOf(path, this.#code) };
				const told = { pathname: path.pathname.replace(/^\//, '') };
				return path.route.type === 'page' ? { ...page, told } : page;
			});
			if (entries && unknown.length !== made.length)
				throw new Error(`${route.route} lists another number of paths than of entries`);
			unknown.forEach((entry, at) => knownPages.set(entry, { ...made[at]!, entry }));
			const all = entries ? last.pages.map(entries, (entry) => knownPages.get(entry)!) : made;
			if (entries) listed.set(route, { ...last, entries });
			for (const page of all) pages.push(page);
		}
		return pages;
	}

	/** Gives Astro the entries of the pages that it renders, which it would look for among all. */
	async #provideEntries(pages: Page[]): Promise<void> {
		const { routeCache } = this.#app;
		// Those of the last update.
		routeCache.clearAll();
		const byRoute = Map.groupBy(
			pages.filter(({ entry }) => entry),
			({ path }) => path.route,
		);
		for (const [route, some] of byRoute) {
			const keyed = new Map(some.map(({ path, entry }) => [path.pathname, entry!]));
			const staticPaths = Object.assign([...keyed.values()], { keyed });
			routeCache.set(route, { mod: await this.#app.getComponentByRoute(route), staticPaths });
		}
	}

	/** Returns the files other than pages. Places those among them that are not served in the folder. */
	async #placeAssets(outDir: string): Promise<KeptFile[]> {
		const { dir, names } = this.#assets;
		const served: KeptFile[] = [];
		for (const name of names) {
			const path = servedPath(name);
			if (path !== undefined) served.push({ path, file: join(dir, name), key: this.#code });
			else await linkFiles(dir, outDir, [name]);
		}
		return served;
	}

	async #render(path: Path): Promise<Buffer> {
		const { pathname, route } = path;
		const address = new URL(encodeURI(fileOf(path)), new URL(getEnv().SITE_URL).origin);
		const response = await this.#app.render(new Request(address), { routeData: route });
		if (!response.ok && !pathname.startsWith('/404')) {
			throw new BuildError(`The page ${pathname} answers ${response.status}.`);
		}
		return Buffer.from(await response.arrayBuffer());
	}
}

/** Throws if two pages have the same address. */
function assertDistinct(pages: readonly Page[], added: Page[], gone: Page[]): void {
	const left = new Set(gone.map(({ file }) => file));
	// Pages that only take the place of others are as distinct as those were.
	if (added.every(({ file }) => left.delete(file))) return;
	if (new Set(pages.map(({ file }) => file)).size < pages.length)
		throw new BuildError('Two pages have the same address.');
}

function importApp(file: string): Promise<{ app: App }> {
	// Overrides the shell: any other value renders with the development build of React.
	process.env['NODE_ENV'] = 'production';
	return import(pathToFileURL(file).href) as Promise<{ app: App }>;
}

/** Returns the file of a path, as with `build.format: 'file'`. */
function fileOf({ pathname, route }: Path): string {
	const name = pathname.replace(/^\//, '');
	return route.type === 'endpoint' ? name : `${name || 'index'}.html`;
}

function keyOf({ cacheKey }: Path, code: string): string | null {
	return cacheKey ? `${code}-${cacheKey}` : null;
}

async function forEachConcurrently<Item>(
	items: Item[],
	work: (item: Item) => Promise<void>,
): Promise<void> {
	const left = items.values();
	const worker = async () => {
		for (const item of left) await work(item);
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function makeFolders(dir: string, files: string[]): Promise<void> {
	const folders = new Set([dir, ...files.map((file) => dirname(join(dir, file)))]);
	for (const folder of folders) await mkdir(folder, { recursive: true });
}

/** Links the files of one folder into another, or copies them where hard links are not supported. */
async function linkFiles(from: string, to: string, files: string[]): Promise<void> {
	await makeFolders(to, files);
	await forEachConcurrently(files, (file) => linkOrCopy(join(from, file), join(to, file)));
}

/** Logs errors only. */
const logger = {
	write({ level, message }: { level: string; message: string }) {
		if (level === 'error') console.error(message);
	},
};
