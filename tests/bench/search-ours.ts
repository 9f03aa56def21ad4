import type { Context } from '@netlify/functions';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { setDb } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import { measure, type Measured } from './measure.ts';

// `search-ours.ts <database>`: queries from stdin through the site's function, from the request to the answer's last byte.
const db = await openDb(process.argv[2]!);
setDb(db);
const { default: handler } = await import('#functions/search.ts');
const answers: string[] = [];
const queries = JSON.parse(await text(process.stdin)) as string[];
const measured = await measure(queries, async (query) => {
	const url = `http://localhost/api/search?q=${encodeURIComponent(query)}`;
	const response = await handler(new Request(url), { params: {} } as Context);
	const answer = await response.text();
	answers.push(answer);
	return (JSON.parse(answer) as { total: number }).total;
});
const bytes = answers.map((answer) => gzipSync(answer).length);
const each = bytes.reduce((sum, one) => sum + one, 0) / bytes.length;
console.log(JSON.stringify({ ...measured, first: each, later: each } satisfies Measured));
db.$client.close();
