import { parseArgs } from 'node:util';
import { benchApi } from './api.ts';
import { benchBuild } from './build.ts';
import { benchSearch } from './search.ts';

const USAGE = 'Usage: npm run bench -- build|search [--posts 1000,10000], or: npm run bench -- api';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { posts: { type: 'string', default: '1000,10000' } },
});
const counts = values.posts.split(',').map(Number);
// `npm run bench` puts its own name before.
const command = positionals.at(-1);
const sized = { build: benchBuild, search: benchSearch }[command ?? ''];
if (sized && counts.every((count) => Number.isInteger(count) && count > 0)) {
	await sized(counts);
} else if (command === 'api') {
	await benchApi();
} else {
	console.error(USAGE);
	process.exitCode = 1;
}
