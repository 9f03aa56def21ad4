import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const linter = new ESLint({
	cwd: new URL('../../', import.meta.url).pathname,
	ruleFilter: ({ ruleId }) =>
		['no-restricted-imports', 'no-restricted-properties', 'no-restricted-syntax'].includes(
			ruleId,
		) || /ban-ts-comment|no-explicit-any|consistent-type-imports/.test(ruleId),
});

/** The rules that a piece of code breaks where a file of this name holds it. */
async function broken(filePath: string, code: string): Promise<string[]> {
	const [result] = await linter.lintText(code, { filePath });
	return result!.messages.map(({ ruleId, message }) => ruleId ?? message);
}

const importing = (filePath: string, specifier: string) =>
	broken(filePath, `import { x } from '${specifier}';\nexport const y = x;\n`);

test.each([
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
])('%s may not import %s', async (filePath, specifier) => {
	expect(await importing(filePath, specifier)).toEqual(['no-restricted-imports']);
});

test.each([
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
])('%s may import %s', async (filePath, specifier) => {
	expect(await importing(filePath, specifier)).toEqual([]);
});

test('of what lies beyond its boundary, a pure module may know the types', async () => {
	const code = "import type { Figure } from '#db/schema.ts';\nexport type Mine = Figure;\n";
	expect(await broken('src/features/states/new.ts', code)).toEqual([]);
	expect(await broken('src/features/states/New.tsx', code)).toEqual(['no-restricted-imports']);
});

test('an island may not load the server later either', async () => {
	const code = "export const later = () => import('./posts.server.ts');\n";
	expect(await broken('src/features/posts/New.tsx', code)).toEqual(['no-restricted-syntax']);
	expect(await broken('src/features/posts/new.store.ts', code)).toEqual(['no-restricted-syntax']);
});

test("a page may ask the server in its front matter, and not in its browser's script", async () => {
	const imports = "import { x } from '#src/features/posts/posts.server.ts';";
	expect(await broken('src/pages/new.astro', `---\n${imports}\n---\n<p>{x}</p>\n`)).toEqual([]);
	expect(
		await broken('src/pages/new.astro', `<script>\n${imports}\nconsole.log(x);\n</script>\n`),
	).toEqual(['no-restricted-imports']);
});

test('only two modules read the environment', async () => {
	const code = 'export const port = process.env.PORT;\n';
	for (const filePath of ['src/features/posts/new.server.ts', 'functions/new.ts', 'db/local.ts']) {
		expect(await broken(filePath, code)).toEqual(['no-restricted-properties']);
	}
	for (const filePath of ['src/lib/env.ts', 'db/client.ts'])
		expect(await broken(filePath, code)).toEqual([]);
});

test('rules cannot be talked away', async () => {
	const file = 'src/lib/new.ts';
	expect(await broken(file, '// @ts-ignore\nexport const a = 1;\n')).toEqual([
		'@typescript-eslint/ban-ts-comment',
	]);
	expect(await broken(file, 'export const a = {} as any;\n')).toEqual([
		'@typescript-eslint/no-explicit-any',
	]);
	const disabled = '/* eslint-disable */\nexport const a = {} as any;\n';
	expect(await broken(file, disabled)).toEqual([
		expect.stringContaining('noInlineConfig'),
		'@typescript-eslint/no-explicit-any',
	]);
});

test('what is only a type is imported as one', async () => {
	const code =
		"import { Post } from './post.ts';\nexport const slugOf = (post: Post) => post.slug;\n";
	expect(await broken('src/features/posts/new.ts', code)).toEqual([
		'@typescript-eslint/consistent-type-imports',
	]);
});
