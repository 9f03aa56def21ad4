import { parseArgs } from 'node:util';
import { benchApi } from './api.ts';
import { benchBuild } from './build.ts';
import { benchPublish } from './publish.ts';

const USAGE =
	'Usage: npm run bench -- build [--posts 1000,10000], publish [--posts 100,1000], or api';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { posts: { type: 'string' } },
});
// `npm run bench` puts its own name before.
const command = positionals.at(-1);
const counts = (values.posts ?? (command === 'publish' ? '100,1000' : '1000,10000')).split(',');
const sizes = counts.map(Number);
const isCount = sizes.every((size) => Number.isInteger(size) && size > 0);
if (command === 'build' && isCount) {
	await benchBuild(sizes);
} else if (command === 'publish' && isCount) {
	await benchPublish(sizes);
} else if (command === 'api') {
	await benchApi();
} else {
	console.error(USAGE);
	process.exitCode = 1;
}
