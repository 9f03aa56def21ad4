import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { siteFolder } from '#src/build/builds.ts';
import { startHost, type Host } from '#tests/support/host.ts';
import { copyFreshSite, settingsOf } from './fresh-site.ts';

type OwnSite = Pick<Host, 'address' | 'publish' | 'stop'>;

/** Starts a site that nobody has set up yet. Its `stop` removes it as well. */
export const startFreshSite = (): Promise<OwnSite> => startSite({}, copyFreshSite);

/** Starts a site without articles, whose pages are few and soon made, with `env` besides. Its `stop` removes it as well. */
export const startEmptySite = (env: Record<string, string>): Promise<OwnSite> =>
	startSite({ SAMPLE_CONTENT: 'off', ...env });

async function startSite(
	env: Record<string, string>,
	prepare?: (databaseUrl: string) => Promise<void>,
): Promise<OwnSite> {
	const folder = await mkdtemp(join(tmpdir(), 'setup-'));
	const DATABASE_URL = `file:${join(folder, 'site.db')}`;
	await prepare?.(DATABASE_URL);
	const host = await startHost({ DATABASE_URL, ...settingsOf(), ...env });
	return {
		address: host.address,
		publish: (title, content) => host.publish(title, content),
		async stop() {
			await host.stop();
			await rm(siteFolder(DATABASE_URL), { recursive: true, force: true });
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** The path in `LOGO`. */
export const LOGO_PATH = 'M0 0h4v4z';
export const LOGO = {
	...{ name: 'logo.svg', mimeType: 'image/svg+xml' },
	buffer: Buffer.from(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="${LOGO_PATH}"/></svg>`,
	),
};

/** Makes a photo of more than 12 MB and 4,000 pixels. */
export async function takePhoto(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
	const raw = { width: 4000, height: 3000, channels: 3 } as const;
	const buffer = await sharp(randomBytes(4000 * 3000 * 3), { raw })
		.jpeg({ quality: 98 })
		.toBuffer();
	return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
}
