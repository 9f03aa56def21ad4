import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { siteFolder } from '#src/build/builds.ts';
import { examplesOf, PAGES } from '#src/site.ts';
import { ensureBrowser, findTestBrowser } from '#tests/support/browser.mjs';
import { atRest, ROOT, startHost } from '#tests/support/host.ts';
import { ensurePackage } from '#tests/support/programs.mjs';
import { withFolder } from './folder.ts';
import { median } from './measure.ts';
import { printTable } from './table.ts';

const RUNS = 5;
/** One of each type of page that search engines may list. */
const TYPES = PAGES.filter(({ isHidden, isAlias }) => !isHidden && !isAlias).flatMap((page) =>
	examplesOf([page]).slice(0, 1),
);
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const METRICS = [
	['LCP ms', 'largest-contentful-paint', 0],
	['TBT ms', 'total-blocking-time', 0],
	['CLS', 'cumulative-layout-shift', 4],
] as const;

type Report = {
	categories: Record<string, { score: number | null }>;
	audits: Record<
		string,
		{ numericValue?: number; details?: { items: { transferSize?: number }[] } }
	>;
};

/** Runs Lighthouse as a phone five times on each type of page of the shipped site, and prints medians. */
export async function benchPages(): Promise<void> {
	ensureBrowser();
	await withFolder(async (folder) => {
		const url = `file:${join(folder, 'site.db')}`;
		const host = await startHost({ DATABASE_URL: url });
		const rows: string[][] = [];
		try {
			await atRest(host);
			for (const path of TYPES) {
				const reports: Report[] = [];
				for (let run = 0; run < RUNS; run++) {
					const report = await measure(host.address + path, join(folder, 'report.json'));
					if (report) reports.push(report);
				}
				const row = rowOf(reports);
				rows.push([path, ...row, String(reports.length)]);
				console.log(path, ...row);
			}
		} finally {
			await host.stop();
			await rm(siteFolder(url), { recursive: true, force: true });
		}
		const metrics = METRICS.map(([name]) => name);
		printTable(['page', ...CATEGORIES, ...metrics, 'KB', 'runs'], rows);
		console.log('Aim: 100 in all four categories.');
	});
}

/** One report, or undefined where Lighthouse saw no page painted, as happens on a busy machine. */
async function measure(address: string, output: string): Promise<Report | undefined> {
	const browser = findTestBrowser() ?? '';
	// The shell has no windows: what draws one while a page loads takes half a processor from it.
	const mode = browser.endsWith('-shell') ? '' : '--headless=new ';
	const flags = `${mode}--no-sandbox --disable-gpu`;
	await promisify(execFile)(
		process.execPath,
		[
			join(ensurePackage('lighthouse@13.5.0'), 'cli/index.js'),
			address,
			'--quiet',
			'--output=json',
			`--output-path=${output}`,
			`--chrome-flags=${flags}`,
		],
		{ cwd: ROOT, env: { ...process.env, CHROME_PATH: browser } },
	).catch(() => {});
	const report = JSON.parse(await readFile(output, 'utf8')) as Report;
	await rm(output);
	return report.categories['performance']?.score == null ? undefined : report;
}

function rowOf(reports: Report[]): string[] {
	const scores = CATEGORIES.map((name) =>
		median(reports.map(({ categories }) => 100 * (categories[name]?.score ?? 0))).toFixed(0),
	);
	const metrics = METRICS.map(([, audit, digits]) =>
		median(reports.map(({ audits }) => audits[audit]?.numericValue ?? NaN)).toFixed(digits),
	);
	const bytes = median(
		reports.map(({ audits }) =>
			(audits['network-requests']?.details?.items ?? []).reduce(
				(sum, { transferSize = 0 }) => sum + transferSize,
				0,
			),
		),
	);
	return [...scores, ...metrics, (bytes / 1000).toFixed(0)];
}
