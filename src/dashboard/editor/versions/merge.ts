import { diffArrays } from 'diff';
import { metaTitleOf, tagKey } from '#src/features/posts/editing.ts';
import {
	FIELD_NAMES,
	LABELED,
	POST_FIELDS,
	record,
	type FieldName as FormField,
	type LabeledName,
	type PostForm,
} from '#src/features/posts/fields.ts';
import { blocksOf, mergeArticles, textOf } from '#src/core/articles/blocks.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { mergeValues } from '#src/lib/merge.ts';
import { slugify } from '#src/lib/slug.ts';

export { blocksOf, textOf };

/** A part of an article: the same on both sides, or as mine and theirs have it, each a list of blocks' HTML. */
export type Part = { same: string[] } | { mine: string[]; theirs: string[] };

/** The parts of two versions of an article, in order. Together the parts of a side are that side. */
export function partsOf(mine: string, theirs: string): Part[] {
	const parts: Part[] = [];
	for (const { value, added, removed } of diffArrays(blocksOf(mine), blocksOf(theirs))) {
		if (!added && !removed) {
			parts.push({ same: value });
			continue;
		}
		const last = parts.at(-1);
		const part = last && !('same' in last) ? last : { mine: [], theirs: [] };
		if (part !== last) parts.push(part);
		part[added ? 'theirs' : 'mine'].push(...value);
	}
	return parts;
}

export type Choice = 'mine' | 'theirs' | 'both';

/** An article of these parts, as chosen; a part without a choice is mine. */
export function mergedOf(parts: readonly Part[], choices: readonly (Choice | undefined)[]): string {
	return parts
		.flatMap((part, index) => {
			if ('same' in part) return part.same;
			const choice = choices[index] ?? 'mine';
			return choice === 'both' ? [...part.mine, ...part.theirs] : part[choice];
		})
		.join('\n');
}

/** Choices that decide themselves: what only one side changed since `base` is that side's. */
export function evidentChoices(parts: readonly Part[], base: string): (Choice | undefined)[] {
	const before = blocksOf(base);
	const known = new Set(before);
	return parts.map((part) => {
		if ('same' in part) return undefined;
		const isOld = (blocks: string[]) =>
			blocks.length > 0 && blocks.every((block) => known.has(block)) && isRun(before, blocks);
		if (isOld(part.mine) && !isOld(part.theirs))
			return part.theirs.length > 0 ? 'theirs' : undefined;
		if (isOld(part.theirs) && !isOld(part.mine)) return part.mine.length > 0 ? 'mine' : undefined;
		if (part.mine.length === 0 && part.theirs.every((block) => !known.has(block))) return 'theirs';
		if (part.theirs.length === 0 && part.mine.every((block) => !known.has(block))) return 'mine';
		return undefined;
	});
}

/** Whether `blocks` stand in `all` one after another. */
function isRun(all: string[], blocks: string[]): boolean {
	return all.some((_, at) => blocks.every((block, index) => all[at + index] === block));
}

/**
 * Merges what two sides made of a post. What one of them alone changed is in both results; where both changed the same
 * place each has its own, and the writer is asked.
 */
export function mergePosts(base: PostForm, mine: PostForm, theirs: PostForm) {
	const merge = (name: FormField, first: PostForm, second: PostForm) =>
		name === 'content'
			? mergeArticles(base.content, first.content, second.content)
			: mergeValues<unknown>(base[name], first[name], second[name]);
	const own = record(FIELD_NAMES, (name) => merge(name, mine, theirs));
	const other = record(FIELD_NAMES, (name) =>
		own[name].isDisputed ? merge(name, theirs, mine) : own[name],
	);
	const formOf = (merged: typeof own) =>
		record(FIELD_NAMES, (name) => merged[name].value) as PostForm;
	return {
		mine: formOf(own),
		theirs: formOf(other),
		isAsked: own.content.isDisputed || LABELED.some((name) => own[name].isDisputed),
	};
}

/** Fields of the form that a writer chooses between, with their names. */
export const FIELDS = record(LABELED, (name) => POST_FIELDS[name].label);
export type FieldName = LabeledName;

/** Fields that differ. */
export function fieldsBetween(mine: PostForm, theirs: PostForm): FieldName[] {
	return LABELED.filter((name) => !isSame(name, mine, theirs));
}

/** Whether two forms say the same. */
export function sameForm(a: PostForm, b: PostForm): boolean {
	return FIELD_NAMES.every((name) => isSame(name, a, b));
}

function isSame(name: FormField, a: PostForm, b: PostForm): boolean {
	return JSON.stringify(a[name]) === JSON.stringify(b[name]);
}

/** Whether `stored` is what the server makes of a form that was sent: cleaned, and completed where it was empty. */
export function isMadeOf(stored: PostForm, sent: PostForm): boolean {
	const clean = cleaned(stored);
	const { title, categoryId, slug, author, publishedAt, readTime, ...rest } = cleaned(sent);
	return sameForm(clean, {
		...rest,
		title: title || clean.title,
		categoryId: categoryId || clean.categoryId,
		slug: slug || clean.slug,
		author: author || clean.author,
		// The day that is planned for a draft is not stored.
		publishedAt: clean.publishedAt && (publishedAt || clean.publishedAt),
		readTime: readTime ?? clean.readTime,
	});
}

function cleaned(form: PostForm): PostForm {
	const trimmed = Object.fromEntries(
		Object.entries(form).map(([name, value]) => [
			name,
			typeof value === 'string' ? value.trim() : value,
		]),
	) as PostForm;
	return {
		...trimmed,
		slug: slugify(form.slug),
		content: sanitizeArticle(trimmed.content),
		metaTitle: metaTitleOf(trimmed),
		tags: form.tags.map(tagKey),
	};
}
