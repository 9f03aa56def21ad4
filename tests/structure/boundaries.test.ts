import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
/** Leaves out what needs types. */
const CONFIG = `import config from '${ROOT}oxlint.config.ts';
export default { ...config, options: { ...config.options, typeAware: false } };
`;
const RESTRICTED = ['eslint(no-restricted-imports)'];

/** Pieces of code, each of a file that is there for it alone, and the rules of oxlint that it breaks. */
const codes = new Map<string, string>();
const cases: [string, string, string[]][] = [];

function says(name: string, filePath: string, code: string, broken: string[]) {
	const file = filePath.replace(/(?=\.)/, String(codes.size));
	codes.set(file, code);
	cases.push([name, file, broken]);
}

const importing = (specifier: string) => `import { x } from '${specifier}';\nexport const y = x;\n`;

for (const [file, specifier] of [
	['src/lib/new.ts', '#src/features/posts/post.ts'],
	['src/lib/new.ts', '#db/client.ts'],
	['src/lib/new.ts', '#src/site.ts'],
	['src/features/posts/new.ts', './posts.server.ts'],
	['src/features/posts/new.ts', './posts.api.ts'],
	['src/features/posts/new.ts', '#db/schema.ts'],
	['src/features/posts/new.ts', './PostCard.tsx'],
	['src/features/posts/new.api.ts', './posts.server.ts'],
	['src/features/posts/new.api.ts', '#src/features/tags/tags.server.ts'],
	['src/features/posts/new.server.ts', '#functions/lib/http.ts'],
	['src/features/posts/new.server.ts', './posts.store.ts'],
	['src/features/posts/new.server.ts', './posts.api.ts'],
	['src/features/posts/new.server.ts', '#src/host/server.ts'],
	['src/features/posts/New.tsx', '#src/dashboard/kit/useAnswer.ts'],
	['src/features/posts/new.server.ts', '#src/build/build.ts'],
	['src/core/new/new.ts', '#src/features/posts/post.ts'],
	['src/core/new/new.server.ts', '#src/features/posts/posts.server.ts'],
	['src/core/new/new.store.ts', '#src/dashboard/kit/useAnswer.ts'],
	['src/dashboard/new/New.tsx', '#src/features/posts/posts.server.ts'],
	['src/dashboard/new/New.tsx', '#src/layouts/Base.astro'],
	['src/features/posts/new.store.ts', './posts.server.ts'],
	['src/features/posts/new.store.ts', '#db/schema.ts'],
	['src/features/posts/new.store.ts', './New.tsx'],
	['src/features/posts/New.tsx', './posts.server.ts'],
	['src/features/posts/New.tsx', '#src/features/search/search.server.ts'],
	['src/features/posts/New.tsx', '#db/client.ts'],
	['src/features/posts/New.tsx', '#functions/lib/http.ts'],
	['src/features/posts/New.tsx', 'node:crypto'],
	['src/features/posts/New.tsx', '#src/features/comments/CommentForm.tsx'],
	['src/features/posts/useNew.ts', './posts.server.ts'],
	['src/components/ui/New.tsx', '#src/features/posts/post.ts'],
	['src/layouts/new.ts', '#functions/lib/http.ts'],
	['src/pages/new.ts', '#db/client.ts'],
	['functions/new.ts', '#db/schema.ts'],
	['functions/new.ts', '#db/local.ts'],
	['functions/new.ts', '#src/host/server.ts'],
	['functions/new.ts', '#src/features/posts/posts.store.ts'],
	['functions/new.ts', '#tests/support/db.ts'],
	['src/host/new.ts', '#src/layouts/robots.ts'],
	['db/new.ts', '#src/site.ts'],
	['db/new.ts', '../src/lib/slug.ts'],
	['src/features/posts/new.ts', '../tags/tag.ts'],
	['src/features/posts/new.ts', './post'],
	['tests/api/new.test.ts', '../../src/site.ts'],
] as const)
	says(`${file} may not import ${specifier}`, file, importing(specifier), RESTRICTED);

for (const [file, specifier] of [
	['src/lib/new.ts', './slug.ts'],
	['src/lib/new.ts', 'node:crypto'],
	['src/features/posts/new.ts', '#src/features/tags/tag.ts'],
	['src/features/posts/new.ts', '#src/site.ts'],
	['src/features/posts/new.api.ts', './post.ts'],
	['src/features/posts/new.server.ts', '#db/schema.ts'],
	['src/features/posts/new.server.ts', '#src/features/tags/tags.server.ts'],
	['src/dashboard/new/New.tsx', '#src/features/posts/post.ts'],
	['src/core/new/new.server.ts', '#db/schema.ts'],
	['src/features/posts/new.store.ts', '#src/features/reader/likes.store.ts'],
	['src/features/posts/New.tsx', './posts.api.ts'],
	['src/features/posts/New.tsx', '#src/features/reader/likes.store.ts'],
	['src/features/posts/New.tsx', '#src/components/ui/Form.tsx'],
	['src/components/ui/New.tsx', '#src/site.ts'],
	['functions/new.ts', '#db/client.ts'],
	['functions/new.ts', '#src/features/posts/posts.server.ts'],
	['functions/new.ts', './lib/http.ts'],
	['src/host/new.ts', '#functions/posts.ts'],
	['src/host/new.ts', '#db/local.ts'],
	['db/new.ts', './schema.ts'],
	['db/new.ts', '#src/lib/slug.ts'],
	['tests/api/new.test.ts', '#db/schema.ts'],
	['src/features/posts/new.test.ts', '#tests/support/db.ts'],
] as const)
	says(`${file} may import ${specifier}`, file, importing(specifier), []);

const types = "import type { Figure } from '#db/schema.ts';\nexport type Mine = Figure;\n";
says('a pure module may know types of the database', 'src/features/states/new.ts', types, []);
says('an island may not', 'src/features/states/New.tsx', types, RESTRICTED);

const later = "export const later = () => import('./posts.server.ts');\n";
for (const file of ['src/features/posts/New.tsx', 'src/features/posts/new.store.ts'])
	says(`${file} may not load the server later either`, file, later, RESTRICTED);

const environment = 'export const port = process.env.PORT;\n';
for (const file of ['src/features/posts/new.server.ts', 'functions/new.ts', 'db/local.ts'])
	says(`${file} may not read the environment`, file, environment, [
		'eslint(no-restricted-properties)',
	]);
codes.set('src/lib/env.ts', environment);
cases.push(['one module of src/lib may', 'src/lib/env.ts', []]);
codes.set('db/client.ts', environment);
cases.push(['one of db may, too', 'db/client.ts', []]);

const anything = 'export const a = {} as any;\n';
const noAny = ['typescript(no-explicit-any)'];
says('any is refused', 'src/lib/new.ts', anything, noAny);
says('any cannot be talked away', 'src/lib/new.ts', `/* eslint-disable */\n${anything}`, noAny);
says('types cannot be, either', 'src/lib/new.ts', '// @ts-ignore\nexport const a = 1;\n', [
	'typescript(ban-ts-comment)',
]);
says(
	'what is only a type is imported as one',
	'src/features/posts/new.ts',
	"import { Post } from './post.ts';\nexport const slugOf = (post: Post) => post.slug;\n",
	['typescript(consistent-type-imports)'],
);
says(
	'a browser test waits for no time',
	'tests/e2e/new.spec.ts',
	'export const wait = (page: Page) => page.waitForTimeout(1);\n',
	['eslint(no-restricted-properties)'],
);

const found = lint();

test.each(cases)('%s', (_, file, broken) => {
	expect(found.filter(({ filename }) => filename === file).map(({ code }) => code)).toEqual(broken);
});

test('no file switches off a rule of oxlint', () => {
	const words = ['-lE', 'oxlint-disa[b]le', '--', '*.ts', '*.tsx'];
	expect(spawnSync('git', ['grep', ...words], { cwd: ROOT, encoding: 'utf8' }).stdout).toBe('');
});

test("a page may ask the server in its front matter, and not in its browser's script", async () => {
	const linter = new ESLint({
		cwd: ROOT,
		ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-imports',
	});
	const broken = async (code: string) =>
		(await linter.lintText(code, { filePath: 'src/pages/new.astro' })).flatMap(({ messages }) =>
			messages.map(({ ruleId }) => ruleId),
		);
	const imports = "import { x } from '#src/features/posts/posts.server.ts';";
	expect(await broken(`---\n${imports}\n---\n<p>{x}</p>\n`)).toEqual([]);
	expect(await broken(`<script>\n${imports}\nconsole.log(x);\n</script>\n`)).toEqual([
		'no-restricted-imports',
	]);
});

/** Returns what oxlint finds in all of them: it has no interface but its files. */
function lint(): { filename: string; code: string }[] {
	const folder = mkdtempSync(join(tmpdir(), 'boundaries-'));
	try {
		for (const [file, code] of [...codes, ['oxlint.config.ts', CONFIG] as const]) {
			mkdirSync(dirname(join(folder, file)), { recursive: true });
			writeFileSync(join(folder, file), code);
		}
		const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
		const { stdout } = spawnSync(process.execPath, [oxlint, '--format=json'], {
			cwd: folder,
			encoding: 'utf8',
		});
		return (JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] })
			.diagnostics;
	} finally {
		rmSync(folder, { recursive: true });
	}
}
