import type { AstroIntegration, AstroPrerenderer } from 'astro';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { saveRenderer } from './astro-internals.ts';
import type { PageKeys } from './site-files.ts';

const APP = 'export const app = { routeCache: {}, setInternals(given) { this.given = given; } };';
const PATHS = [{ pathname: '/about', route: { type: 'page' }, cacheKey: 'a1' }];
const INTERNALS = { pagesByKeys: new Map(), entrySpecifierToBundleMap: new Map() };

type Parts = {
	/** The bundle's entry, or none. */
	entry?: string | undefined;
	file?: string;
	paths?: unknown;
	internals?: object | undefined;
	/** A renderer that is there before the build, and one that another process saves meanwhile. */
	earlier?: string;
	meanwhile?: string;
	/** True where Astro renders no pages. */
	isBundling?: boolean;
};

/** Plays Astro's build, with its undocumented parts as given. */
async function buildWith({
	entry = APP,
	file = 'prerender-entry.mjs',
	paths = PATHS,
	earlier,
	meanwhile,
	isBundling = false,
	...rest
}: Parts) {
	const internals = 'internals' in rest ? rest.internals : INTERNALS;
	const dir = await mkdtemp(join(tmpdir(), 'groundtruth-renderer-'));
	const out = join(dir, 'out');
	await mkdir(join(out, '.prerender'), { recursive: true });
	const bundle = join(out, '.prerender', file);
	await writeFile(bundle, entry);
	const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
	const keys: PageKeys = new Map();
	const kept = join(dir, 'renderer');
	const description = join(kept, 'renderer.json');
	const save = async (text: string) => {
		await mkdir(kept, { recursive: true });
		await writeFile(description, text);
	};
	if (earlier !== undefined) await save(earlier);
	const rendering = { code: 'code', keys, report: () => {} };
	const { hooks } = saveRenderer(kept, isBundling ? undefined : rendering);
	const run = <Name extends keyof AstroIntegration['hooks']>(name: Name, options: object) =>
		(hooks[name] as ((options: object) => unknown) | undefined)?.(options);
	let ours!: AstroPrerenderer;
	const astros = {
		name: 'astro',
		async setup() {
			if (!internals) return;
			const { app } = (await import(pathToFileURL(bundle).href)) as {
				app?: { setInternals?(given: object): void };
			};
			app?.setInternals?.(internals);
		},
		getStaticPaths: async () => paths,
		render: async () => new Response('page'),
	};
	await run('astro:config:done', { config: { outDir: pathToFileURL(`${out}/`) } });
	await run('astro:build:start', {
		setPrerenderer: (wrap: (prerenderer: unknown) => AstroPrerenderer) => (ours = wrap(astros)),
	});
	await ours.setup?.();
	const given = await ours.getStaticPaths();
	const response = await ours.render(new Request('http://localhost/about'), {} as never);
	if (meanwhile !== undefined) await save(meanwhile);
	await run('astro:build:generated', { dir: pathToFileURL(`${out}/`) });
	const warnings = warn.mock.calls.flat();
	warn.mockRestore();
	const isKept = existsSync(kept);
	const saved = isKept && (await readFile(description, 'utf8'));
	return { given, page: await (response as Response).text(), isKept, saved, warnings };
}

test('the renderer of a build is kept', async () => {
	expect(await buildWith({})).toEqual({
		...{ given: PATHS, page: 'page', isKept: true, warnings: [] },
		saved: expect.stringContaining('prerender-entry.mjs') as string,
	});
});

test('where Astro only bundles, it lists no pages, and what cannot be kept is left to the build that renders', async () => {
	const bundled = await buildWith({ isBundling: true });
	expect(bundled).toMatchObject({ given: [], isKept: true, warnings: [] });
	const unsupported = await buildWith({ isBundling: true, internals: undefined });
	expect(unsupported).toMatchObject({ given: [], isKept: false, warnings: [] });
});

test('a renderer that another process has saved meanwhile stays, because builds may be reading it', async () => {
	for (const earlier of [{}, { earlier: 'Damaged.' }]) {
		expect((await buildWith({ ...earlier, meanwhile: 'Theirs, whole.' })).saved).toBe(
			'Theirs, whole.',
		);
	}
	expect((await buildWith({ earlier: 'Damaged.' })).saved).toContain('prerender-entry.mjs');
});

test.each<[string, Parts, RegExp]>([
	['the entry has another name', { file: 'entry.mjs' }, /no prerender-entry/],
	['the entry exports no app', { entry: 'export const other = 1;' }, /routeCache/],
	['the app keeps its paths elsewhere', { entry: 'export const app = {};' }, /no routeCache/],
	['the app has no setInternals', { entry: 'export const app = { routeCache: {} };' }, /bind/],
	['Astro never sets its internals', { internals: undefined }, /setInternals was not given/],
	['its internals look different', { internals: { pages: [] } }, /pagesByKeys/],
	['paths come in another shape', { paths: { paths: PATHS, metadata: {} } }, /iterable/],
])("where %s, Astro's own build goes on, and says so once", async (_, parts, reason) => {
	const { given, page, isKept, warnings } = await buildWith(parts);
	expect(given).toEqual(parts.paths ?? PATHS);
	expect([page, isKept]).toEqual(['page', false]);
	expect(warnings).toEqual([expect.stringMatching(reason)]);
});
