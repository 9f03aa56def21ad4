import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import type { ArticleChange, ChangedPassage } from './changes.ts';
import { passagesBetween, passagesOf } from './passages.ts';

/**
 * A file of content/changes: a digest of its article's words as they were declared last, and the changes since it was
 * published, oldest first. `date` is an ISO date.
 */
export type DeclaredChanges = {
	text: string;
	changes: (Pick<ArticleChange, 'kind' | 'note'> & { date: string; passages: ChangedPassage[] })[];
};

/** Returns the title, the excerpt and the Markdown of an article's file. Throws where it has no front matter. */
function partsOf(file: string): { title: string; excerpt: string; markdown: string } {
	const [, frontMatter, markdown] = /^---\n([^]*?)\n---\n([^]*)$/.exec(file) ?? [];
	if (frontMatter === undefined || markdown === undefined)
		throw new Error('The file has no front matter.');
	const { title, excerpt } = parse(frontMatter) as { title: string; excerpt: string };
	return { title, excerpt, markdown };
}

/** Returns a digest of the words, figures and code of an article's file. */
export function wordsDigest(file: string): string {
	const { title, excerpt, markdown } = partsOf(file);
	const words = [title, excerpt, markdown.trim()].join('\n');
	return createHash('sha256').update(words).digest('hex').slice(0, 16);
}

/** Returns the passages that differ between two versions of an article's file, in order. */
export async function passagesBetweenFiles(
	before: string,
	after: string,
): Promise<ChangedPassage[]> {
	const [old, now] = await Promise.all([before, after].map(readPassages));
	return passagesBetween(old!, now!);
}

async function readPassages(file: string): Promise<string[]> {
	const { title, excerpt, markdown } = partsOf(file);
	return [title, excerpt, ...passagesOf(sanitizeArticle(await markdownToHtml(markdown)))];
}
