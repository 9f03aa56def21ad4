import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { visitSums, visitSources } from '#db/schema.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { getFigures } from '#src/features/visits/figures.server.ts';
import { countVisit } from '#src/features/visits/visits.server.ts';
import {
	BLOCK_DAYS,
	FIGURES,
	dayText,
	figuresQuery,
	type FiguresQuery,
} from '#src/features/visits/visits.ts';
import { DAY } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';
import { withFolder } from './folder.ts';
import { median } from './measure.ts';
import { printTable } from './table.ts';

const VISITS = 1_000_000;
const DAYS = 365;
const ROUNDS = 7;
const NOW = new Date('2026-11-24T12:00:00Z');
const TODAY = Math.floor(NOW.getTime() / DAY);

/** Measures each figure of a year with a million visits, each screen of them, and what one more visit costs. */
export async function benchVisits(): Promise<void> {
	await withFolder(async (folder) => {
		const db = await openDb(`file:${join(folder, 'site.db')}`);
		await migrateDb(db);
		const rows = await fill(db);
		const [pages] = await db.all<{ bytes: number }>(
			sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`,
		);
		console.log(
			`${VISITS.toLocaleString('en-US')} visits in ${DAYS} days: ${rows.sources} rows of sources, ${rows.sums} of sums, ${(pages!.bytes / 1e6).toFixed(1)} MB`,
		);
		const table: string[][] = [];
		for (const days of [30, DAYS]) {
			const from = dayText(TODAY - days + 1);
			const filters: [string, object][] = [
				['', {}],
				['one page', { path: '/blog/post-0' }],
				['one site', { referrer: 'site-1.example' }],
			];
			for (const [name, filter] of filters) {
				const shown = name ? (['day', 'page', 'referrer', 'campaign'] as const) : FIGURES;
				const each = new Map<string, number[]>();
				const screens: number[] = [];
				for (let round = 0; round < ROUNDS; round++) {
					let screen = 0;
					for (const by of shown) {
						const query: FiguresQuery = parse(figuresQuery, { by, from, ...filter });
						// By the processor: a busy machine has other work besides.
						const before = process.cpuUsage();
						await getFigures(db, query, NOW);
						const { user, system } = process.cpuUsage(before);
						const took = (user + system) / 1000;
						screen += took;
						each.set(by, [...(each.get(by) ?? []), took]);
					}
					screens.push(screen);
				}
				const slowest = [...each].map(([by, times]) => [by, median(times)] as const);
				slowest.sort((a, b) => b[1] - a[1]);
				table.push([
					String(days),
					name || 'all',
					median(screens).toFixed(0),
					Math.max(...screens).toFixed(0),
					slowest
						.slice(0, 3)
						.map(([by, took]) => `${by} ${took.toFixed(0)}`)
						.join(', '),
				]);
			}
		}
		printTable(
			['days', 'filter', 'screen, median ms of processor', 'slowest', 'its slowest figures'],
			table,
		);
		const times: number[] = [];
		for (let n = 0; n < 500; n++) {
			const started = performance.now();
			const visitor = { address: `198.51.100.${n}`, userAgent: 'Browser', objects: false };
			const input = { about: 'page', path: '/about', referrer: 'site-1.example' } as const;
			await countVisit(db, input, visitor, 'secret', NOW);
			times.push(performance.now() - started);
		}
		console.log(`One more visit: ${median(times).toFixed(2)} ms`);
	});
}

/** Number from 0 to 1 that follows from the number of a visit, differently for each use. */
const chance = (use: number) =>
	sql`(abs(i * ${sql.raw(String(2_654_435 + 7919 * use))} % 1000003) / 1000003.0)`;
/** Number below `count`, of which the low ones come by far more often. */
const skewed = (use: number, count: number) =>
	sql`cast(${chance(use)} * ${chance(use)} * ${chance(use)} * ${sql.raw(String(count))} as integer)`;

/** Stores the sums of the visits: few pages and sites that many come by, and many that few do. */
async function fill(db: Db) {
	const first = sql.raw(String((TODAY - DAYS + 1) * 24));
	await db.run(sql`create table made as
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${VISITS})
		select i, ${first} + cast(${chance(1)} * ${sql.raw(String(DAYS * 24))} as integer) as hour,
			iif(i % 4 = 0, '/tag/tag-', '/blog/post-') || ${skewed(2, 400)} as path,
			'site-' || ${skewed(3, 80)} || '.example' as referrer,
			iif(${chance(4)} < 0.1, 'newsletter / email / ' || ${skewed(5, 50)}, '') as campaign,
			${chance(6)} < 0.5 as starts,
			iif(${chance(7)} < 0.4, '#end', 'heading-' || ${skewed(8, 8)}) as heading,
			iif(${chance(9)} < 0.1, 'words ' || ${skewed(10, 2000)}, null) as words
		from n`);
	for (const [span, at] of [
		['hour', 'hour'],
		['block', `hour / ${24 * BLOCK_DAYS}`],
	] as const)
		await db.run(
			sql.raw(`insert into visit_sources (span, at, path, referrer, campaign, views, starts, from_referrer, from_campaign)
			select '${span}', ${at}, path, referrer, campaign, count(*), sum(starts), sum(starts), sum(starts * (campaign <> ''))
			from made group by 2, 3, 4, 5`),
		);
	async function add(by: string, key: string, where = 'true') {
		for (const [span, at] of [
			['day', 'hour / 24'],
			['block', `hour / ${24 * BLOCK_DAYS}`],
		] as const)
			await db.run(
				sql.raw(`insert into visit_sums (by, span, at, key, views, visitors)
				select ${by}, '${span}', ${at}, ${key}, count(*), sum(starts) from made where ${where} group by 1, 3, 4`),
			);
	}
	await add("'page'", 'path');
	await add("'referrer'", 'referrer');
	await add("'campaign'", 'campaign', "campaign <> ''");
	await add("'hour'", "printf('%02d', hour % 24)");
	await add("'stop ' || path", 'heading', "path like '/blog/%'");
	await add("'end'", 'path', "path like '/blog/%' and heading = '#end'");
	await add("'search'", 'words', 'words is not null');
	await db.run(sql`drop table made`);
	await db.run(sql`vacuum`);
	return { sources: await db.$count(visitSources), sums: await db.$count(visitSums) };
}
