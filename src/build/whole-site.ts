/** Makes `astro build` a whole build of the site, as `npm run build` is, without anything of an earlier one. */
import type { AstroIntegration } from 'astro';
import type { Progress } from './builds.ts';

/** Adds to a build by Astro's own command what our builds have besides the pages. In those it does nothing. */
export function wholeSite(): AstroIntegration {
	let isAlone = false;
	let report: (progress: Progress) => void;
	let finish: ((dir: URL) => Promise<void>) | undefined;
	return {
		name: 'whole-site',
		hooks: {
			'astro:config:setup': async ({ command, config, updateConfig, logger }) => {
				isAlone =
					command === 'build' && config.integrations.every(({ name }) => name !== 'renderer');
				if (!isAlone) return;
				let step = '';
				report = ({ doing }) => {
					if (doing !== step) logger.info((step = doing));
				};
				// Slow to load, and only this build needs them, as below.
				const { useBundle } = await import('./bundles.ts');
				const { saveRenderer } = await import('./astro-internals.ts');
				const { renderer, code } = await useBundle();
				const rendering = { code, keys: new Map(), report };
				updateConfig({ integrations: [saveRenderer(renderer, rendering)] });
			},
			'astro:build:start': async () => {
				if (isAlone) finish = await (await import('./deploy.ts')).beginAstroBuild(report);
			},
			'astro:build:done': ({ dir }) => finish?.(dir),
		},
	};
}
