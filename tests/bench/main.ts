import { parseArgs } from 'node:util';
import { benchApi } from './api.ts';
import { benchBuild } from './build.ts';
import { benchCrash } from './crash.ts';
import { benchMail } from './mail.ts';

const USAGE =
	'Usage: npm run bench -- build [--posts 1000,10000], or: npm run bench -- api | mail | crash';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { posts: { type: 'string', default: '1000,10000' } },
});
const counts = values.posts.split(',').map(Number);
// `npm run bench` puts its own name before.
const command = positionals.at(-1);
if (command === 'build' && counts.every((count) => Number.isInteger(count) && count > 0)) {
	await benchBuild(counts);
} else if (command === 'api') {
	await benchApi();
} else if (command === 'mail') {
	await benchMail();
} else if (command === 'crash') {
	await benchCrash();
} else {
	console.error(USAGE);
	process.exitCode = 1;
}
