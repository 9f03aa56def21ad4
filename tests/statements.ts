/**
 * Has a libSQL server compile every statement that tests on embedded databases used: `node tests/statements.ts <folder>`,
 * with the folder that `STATEMENTS_FOLDER` named. A server takes another road to the parser than an embedded database.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setEnv, parseEnv } from '#src/lib/env.ts';
import { takeServerDb } from './support/kept-servers.ts';
import { ensureSqld } from './support/programs.mjs';

const folder = process.argv[2]!;
const statements = new Set(
	readdirSync(folder).flatMap((file) =>
		readFileSync(join(folder, file), 'utf8')
			.trimEnd()
			.split('\n')
			.map((line) => String(JSON.parse(line))),
	),
);
if (statements.size === 0) throw new Error(`No statement was recorded in ${folder}.`);
if (ensureSqld()) {
	setEnv(
		parseEnv({ SITE_URL: 'https://groundtruth.test', SECRET: 'a secret that only the tests know' }),
	);
	const { $client: client } = await takeServerDb();
	let faults = 0;
	for (const statement of statements) {
		try {
			await client.execute(`explain ${statement}`);
		} catch (error) {
			faults++;
			console.error(`${error instanceof Error ? error.message : String(error)}\n\t${statement}`);
		}
	}
	console.log(
		`A libSQL server compiled ${statements.size - faults} of ${statements.size} statements.`,
	);
	process.exit(faults > 0 ? 1 : 0);
}
