import { parseArgs } from 'node:util';
import { benchAdmin } from './admin.ts';
import { benchApi } from './api.ts';
import { benchBuild } from './build.ts';

const USAGE =
	'Usage: npm run bench -- build [--posts 1000,10000], or: npm run bench -- api, or: npm run bench -- admin';

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
} else if (command === 'admin') {
	await benchAdmin();
} else {
	console.error(USAGE);
	process.exitCode = 1;
}
