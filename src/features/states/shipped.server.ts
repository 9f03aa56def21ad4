/** The guides that come with the program: those that the site lacks are added at the desk. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { parse } from 'yaml';
import type { Db } from '#db/client.ts';
import { states } from '#db/schema.ts';
import { stateRow, type SeedState } from '#db/state-files.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { among, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { commit } from '#src/core/records/records.server.ts';
import { invalid } from '#src/lib/errors.ts';
import { joinWithAnd, plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import type { AddedStates, ShippedState } from './editing.api.ts';
import { aiWork, FIGURE_KINDS, yearOf } from './figures.ts';

const ENDING = '.yaml';
/** How many the log names. */
const NAMED = 3;

/** Returns the folder of the files: beside the code, or, where that is one bundled file, where the host starts it. */
function folder(): string {
	const beside = fileURLToPath(new URL('../../../content/states/', import.meta.url));
	return existsSync(beside) ? beside : resolve('content/states');
}

/** Reads the files of guides that the site lacks, by name. */
async function readMissing(db: Db): Promise<(typeof states.$inferInsert)[]> {
	const rows = await db.select({ slug: states.slug, name: states.name }).from(states);
	const there = new Set(rows.flatMap(({ slug, name }) => [slug, name]));
	const names = await readdir(folder()).catch(() => [] as string[]);
	const slugs = names
		.filter((name) => name.endsWith(ENDING))
		.map((name) => name.slice(0, -ENDING.length))
		.filter((slug) => !there.has(slug));
	const missing = [];
	for (const slug of slugs.sort()) {
		const file = await readFile(resolve(folder(), `${slug}${ENDING}`), 'utf8');
		missing.push(stateRow(slug, parse(file) as SeedState, { aiWork, figureKinds: FIGURE_KINDS }));
	}
	return missing.filter(({ name }) => !there.has(name));
}

/** Returns the guides that can be added, by name. */
export async function listShipped(db: Db): Promise<ShippedState[]> {
	return (await readMissing(db)).map((row) => {
		const { slug, name, abbreviation, aiJobs = null, averageSalary = null, description } = row;
		const years = [...new Set(row.figures.map(yearOf))].sort().reverse();
		return { slug, name, abbreviation, aiJobs, averageSalary, description, years };
	});
}

/** Adds guides with their figures and texts. Those that somebody has changed since stay when it is undone. */
export function addStates(
	db: Db,
	{ slugs }: { slugs: string[] },
	{ actor, now }: Actor,
): Promise<AddedStates> {
	const token = crypto.randomUUID();
	return retryWhenOvertaken(async () => {
		const missing = await readMissing(db);
		const rows = missing
			.filter(({ slug }) => slugs.includes(slug))
			.map((row) => ({ ...row, id: crypto.randomUUID(), createdAt: now, updatedAt: now }));
		const known = new Set(rows.map(({ slug }) => slug));
		const other = slugs.find((slug) => !known.has(slug));
		if (other !== undefined) {
			throw invalid({ slugs: `“${other}” is on the site by now, or no file has it.` });
		}
		const names = rows.map(({ name }) => name);
		const images = JSON.stringify(
			rows.map(({ id }) => ({ key: { id }, before: null, after: { version: 1 } })),
		);
		await commit(
			db,
			{
				token,
				event: {
					actor,
					action: 'added',
					subject: 'states',
					detail:
						rows.length > NAMED
							? plural(rows.length, 'state')
							: joinWithAnd(names.map((name) => `“${name}”`)),
				},
				conditions: [
					sql`not exists (select 1 from ${states} where ${states.slug} in ${among([...known])})`,
				],
				changes: [
					{ table: 'states', images: sql`select value as image from json_each(${images})` },
				],
				statements: rows.map((row) => db.insert(states).values(row)),
				paths: [paths.states, ...rows.map(({ slug }) => paths.state(slug))],
				rows: rows.length,
			},
			now,
		);
		return { names, undo: token };
	});
}
