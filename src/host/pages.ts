import type { AstroConfig, AstroIntegration, AstroPrerenderer } from 'astro';
import { copyFile, link, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BuildError, type Progress } from './builds.ts';

type Path = Awaited<ReturnType<AstroPrerenderer['getStaticPaths']>>[number];
type DoneHook = NonNullable<AstroIntegration['hooks']['astro:build:done']>;
type Logger = Parameters<DoneHook>[0]['logger'];
type Report = (progress: Progress) => void;

/** Astro's own, which is not in its types: what getStaticPaths answered is kept there for a build. */
type KeptPaths = { app?: { routeCache?: { clearAll?(): void } } };

/** Pages wait for the disk longer than they render. */
const CONCURRENCY = 16;

/**
 * Watches a build by Astro and keeps its renderer, so that the next build of the same code renders the pages that
 * changed and does nothing else: no bundling, no styles, no start of a process.
 */
export class Pages {
	readonly #report: Report;
	#prerenderer: AstroPrerenderer | undefined;
	#config: AstroConfig | undefined;
	#logger: Logger | undefined;
	/** Cache keys of the pages that the last build has, by file; undefined where a page is rendered each time. */
	#keys = new Map<string, string | undefined>();
	/** Files of the bundle and of public/. */
	#assets: string[] = [];

	constructor(report: Report) {
		this.#report = report;
	}

	/** Belongs to the integrations of the build. */
	readonly integration: AstroIntegration = {
		name: 'pages',
		hooks: {
			'astro:config:done': ({ config }) => {
				this.#config = config;
			},
			'astro:build:start': ({ setPrerenderer }) => {
				setPrerenderer((prerenderer) => {
					this.#prerenderer = prerenderer;
					let done = 0;
					let total = 0;
					return {
						...prerenderer,
						getStaticPaths: async () => {
							const paths = await prerenderer.getStaticPaths();
							this.#keys = keysOf(paths);
							total = paths.length;
							return paths;
						},
						render: (request, options) => {
							this.#report({ doing: 'Building pages', done: ++done, total });
							return prerenderer.render(request, options);
						},
					};
				});
			},
			'astro:build:generated': async ({ dir, logger }) => {
				this.#logger = logger;
				const root = fileURLToPath(dir);
				const files = await readdir(root, { recursive: true, withFileTypes: true });
				this.#assets = files
					.filter((entry) => entry.isFile())
					.map(({ parentPath, name }) => relative(root, join(parentPath, name)))
					.filter((name) => !name.startsWith('.prerender') && !this.#keys.has(name));
			},
		},
	};

	/** Whether a build was watched to its end, so that the next one can be an update. */
	get canUpdate(): boolean {
		return this.#prerenderer !== undefined && this.#logger !== undefined;
	}

	/** Builds into `outDir` what Astro would: changed pages anew, everything else from the last build, in `from`. */
	async update(from: string, outDir: string): Promise<void> {
		const prerenderer = this.#prerenderer!;
		const paths = await this.#staticPaths(prerenderer);
		const keys = keysOf(paths);
		if (keys.size < paths.length) throw new BuildError('Two pages have the same address.');
		const changed = paths.filter((path) => {
			const file = fileOf(path);
			return path.cacheKey === undefined || this.#keys.get(file) !== path.cacheKey;
		});
		const rendered = new Set(changed.map(fileOf));
		const kept = [...this.#assets, ...[...keys.keys()].filter((file) => !rendered.has(file))];
		await rm(outDir, { recursive: true, force: true });
		const folders = new Set([...kept, ...rendered].map((file) => dirname(join(outDir, file))));
		for (const folder of folders) await mkdir(folder, { recursive: true });
		await eachOf(kept, (file) => linkOrCopy(join(from, file), join(outDir, file)));
		let done = 0;
		await eachOf(changed, async (path) => {
			this.#report({ doing: 'Building pages', done: ++done, total: changed.length });
			await writeFile(join(outDir, fileOf(path)), await this.#render(prerenderer, path));
		});
		const pages = paths
			.filter(({ route }) => route.type === 'page')
			.map(({ pathname }) => ({ pathname: pathname.replace(/^\//, '') }));
		for (const { hooks } of this.#config!.integrations) {
			await hooks['astro:build:done']?.({
				pages: pages.map((page) => ({ ...page })),
				dir: pathToFileURL(`${outDir}/`),
				assets: new Map(),
				logger: this.#logger!,
			});
		}
		this.#keys = keys;
	}

	async #staticPaths(prerenderer: AstroPrerenderer): Promise<Path[]> {
		const clear = (prerenderer as KeptPaths).app?.routeCache;
		if (!clear?.clearAll) throw new Error('Astro keeps its paths elsewhere.');
		clear.clearAll();
		return prerenderer.getStaticPaths();
	}

	async #render(prerenderer: AstroPrerenderer, path: Path): Promise<Buffer> {
		const address = new URL(encodeURI(fileOf(path)), new URL(this.#config!.site!).origin);
		const result = await prerenderer.render(new Request(address), { routeData: path.route });
		const response = result instanceof Response ? result : result.response;
		if (!response.ok && !/^\/404/.test(path.pathname)) {
			throw new BuildError(`The page ${path.pathname} answers ${response.status}.`);
		}
		return Buffer.from(await response.arrayBuffer());
	}
}

/** The file of a path, as `build.format: 'file'` has it. */
function fileOf({ pathname, route }: Path): string {
	const name = pathname.replace(/^\//, '');
	return route.type === 'endpoint' ? name : `${name || 'index'}.html`;
}

function keysOf(paths: Path[]): Map<string, string | undefined> {
	return new Map(paths.map((path) => [fileOf(path), path.cacheKey]));
}

async function eachOf<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
	const left = items.values();
	const worker = async () => {
		for (const item of left) await work(item);
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** File systems without hard links get a copy. */
async function linkOrCopy(from: string, to: string): Promise<void> {
	await link(from, to).catch(() => copyFile(from, to));
}
