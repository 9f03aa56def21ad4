import { parseArgs } from 'node:util';
import { benchActs } from './acts.ts';
import { benchAdmin } from './admin.ts';
import { benchApi } from './api.ts';
import { benchArchive } from './archive.ts';
import { benchBuild } from './build.ts';
import { benchCrash } from './crash.ts';
import { benchFunctions } from './functions.ts';
import { benchInteractions } from './interactions.ts';
import { benchLoad } from './load.ts';
import { benchMail } from './mail.ts';
import { benchPages } from './pages.ts';
import { benchPublish } from './publish.ts';
import { benchSearch } from './search.ts';
import { benchVisits } from './visits.ts';

/** Every bench, and the numbers of posts that it measures at unless told others. */
const BENCHES: Record<string, { run: (posts: number[]) => Promise<void>; posts?: string }> = {
	acts: { run: benchActs, posts: '10000' },
	admin: { run: benchAdmin },
	api: { run: benchApi },
	archive: { run: benchArchive, posts: '10000' },
	build: { run: benchBuild, posts: '1000,10000' },
	crash: { run: benchCrash },
	functions: { run: benchFunctions },
	interactions: { run: benchInteractions },
	load: { run: benchLoad },
	mail: { run: benchMail },
	pages: { run: benchPages },
	publish: { run: benchPublish, posts: '100,1000' },
	search: { run: benchSearch, posts: '1000,10000' },
	visits: { run: benchVisits },
};

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { posts: { type: 'string' } },
});
// `npm run bench` puts its own name before.
const bench = BENCHES[positionals.at(-1) ?? ''];
const posts = (values.posts ?? bench?.posts ?? '').split(',').filter(Boolean).map(Number);
if (bench && posts.every((count) => Number.isInteger(count) && count > 0)) await bench.run(posts);
else {
	const uses = Object.entries(BENCHES).map(([name, one]) =>
		one.posts ? `${name} [--posts ${one.posts}]` : name,
	);
	console.error(`Usage: npm run bench -- ${uses.join(' | ')}`);
	process.exitCode = 1;
}
