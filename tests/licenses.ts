/** `npm run licenses`: writes docs/licenses.md, the licenses of all that the site is made of and runs on, by the lock file. */
import { readFile, writeFile } from 'node:fs/promises';

export type Package = { name: string; version: string; license: string };
type Lock = { packages: Record<string, { version: string; license?: string; dev?: boolean }> };

/** Licenses that a site under any license may be made with. Those of data and fonts are among them. */
export const ALLOWED = [
	'0BSD',
	'Apache-2.0',
	'BlueOak-1.0.0',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'CC0-1.0',
	// Of ELK, which lays out diagrams when articles are rendered, used as it is.
	'EPL-2.0',
	'ISC',
	// Of libvips, which sharp loads as a library of its own.
	'LGPL-3.0-or-later',
	'MIT',
	'MIT-0',
	// Of Lightning CSS, a tool of the build, used as it is.
	'MPL-2.0',
	'OFL-1.1',
	'Python-2.0',
	'Unlicense',
	'Zlib',
];

/** Every package that is not only for development, on any platform. */
export async function licenses(): Promise<Package[]> {
	const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock;
	return Object.entries(packages)
		.filter(([path, { dev }]) => path !== '' && !dev)
		.map(([path, { version, license }]) => {
			const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
			return { name, version, license: license ?? 'unknown' };
		})
		.sort((one, other) =>
			`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1,
		);
}

/** Whether we may use what is under this license: all that are joined by AND, or one of those joined by OR. */
export function isAllowed(license: string): boolean {
	const choices = license.replace(/[()]/g, '').split(' OR ');
	return choices.some((choice) => choice.split(' AND ').every((one) => ALLOWED.includes(one)));
}

/** The page, without versions, so that an update changes it only where a license does. */
export function pageOf(packages: Package[]): string {
	const byLicense = Map.groupBy(packages, ({ license }) => license);
	const sections = [...byLicense].sort().map(([license, all]) => {
		const names = [...new Set(all.map(({ name }) => name))];
		return `## ${license}\n\n${names.join(', ')}\n`;
	});
	return `# Licenses

Of every package that the site is made of or runs on, on any platform, as the lock file says; not of tools for development only. Made by
\`npm run licenses\`; a test refuses a license that \`tests/licenses.ts\` does not allow.

${sections.join('\n')}`;
}

if (import.meta.main) await writeFile('docs/licenses.md', pageOf(await licenses()));
