import { and, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#db/client.ts';
import { categories, programDrafts } from '#db/schema.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { postStateOf } from '#src/core/posts/post-state.ts';
import { changeForm, postForm } from '#src/features/posts/editing.ts';
import { findPost, getEditedPost } from '#src/features/posts/editing.server.ts';
import { createPost, updatePost } from '#src/features/posts/saving.server.ts';
import { parse } from '#src/lib/endpoint.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { refuseProgram } from './tokens.server.ts';
import {
	actorNamed,
	forbiddenField,
	type DraftFields,
	type Program,
	type ProgramDraft,
} from './tokens.ts';

/** A program, and when and for which site it calls. */
export type Call = { program: Program; siteUrl: string; now: Date };

const KNOWN = ['id', 'version', 'title', 'excerpt', 'markdown', 'content', 'tags', 'category'];

const changedFields = z.partial(changeForm);

/** Begins a draft for a program. One with the same `id` that it began before is returned as it is. */
export async function createDraft(
	db: Db,
	{ id: given, ...fields }: DraftFields,
	call: Call,
): Promise<ProgramDraft> {
	const { program, now } = call;
	await refuseForbidden(db, fields, 'create_draft', call);
	const id = given ?? crypto.randomUUID();
	if ((await findPost(db, id)) && !(await isOwn(db, id, program)))
		throw await refuseProgram(db, program, `create_draft over post ${id}`, now);
	const form = parse(postForm, await formOf(db, fields));
	await createPost(db, { ...form, id }, { actor: actorNamed(program), now }, (postId) => [
		db
			.insert(programDrafts)
			.values({ postId, tokenId: program.id, program: program.name, createdAt: now }),
	]);
	return (await readDraft(db, id, call))!;
}

/** Returns a draft that a program began. Throws for anything else, and logs that. */
export async function getDraft(db: Db, id: string, call: Call): Promise<ProgramDraft> {
	await refuseOthers(db, id, 'get_draft', call);
	return (await readDraft(db, id, call))!;
}

/** Changes a draft that a program began. What its owner writes meanwhile is never written over. */
export async function updateDraft(
	db: Db,
	{ id, version, ...fields }: DraftFields & { id: string; version: number },
	call: Call,
): Promise<ProgramDraft> {
	const { program, now } = call;
	await refuseForbidden(db, fields, 'update_draft', call);
	const { draft } = await refuseOthers(db, id, 'update_draft', call);
	if (draft)
		throw new AppError(
			'conflict',
			'Somebody works on this draft at the desk, and has not saved it yet.',
		);
	const change = parse(changedFields, await formOf(db, fields));
	await updatePost(
		db,
		id,
		{ ...change, version, published: false },
		{ actor: actorNamed(program), now },
	);
	return (await readDraft(db, id, call))!;
}

/** Refuses fields that only the owner sets, and those that no draft has. */
async function refuseForbidden(
	db: Db,
	fields: object,
	what: string,
	{ program, now }: Call,
): Promise<void> {
	const forbidden = forbiddenField(fields);
	if (forbidden)
		throw await refuseProgram(
			db,
			program,
			`${what} with “${forbidden}”`,
			now,
			`A program writes drafts: “${forbidden}” is for the owner to say.`,
		);
	const unknown = Object.keys(fields).find((name) => !KNOWN.includes(name));
	if (unknown) throw invalid({ [unknown]: `A draft has ${KNOWN.slice(2).join(', ')}` });
}

/** Returns a post that a program began and nobody published. Refuses any other, whether or not it exists. */
async function refuseOthers(db: Db, id: string, what: string, { program, now }: Call) {
	const row = (await isOwn(db, id, program)) ? await findPost(db, id) : undefined;
	if (!row)
		throw await refuseProgram(
			db,
			program,
			`${what} of post ${id}`,
			now,
			'This is no draft that this program began.',
		);
	if (postStateOf(row.post, now) !== 'draft')
		throw await refuseProgram(
			db,
			program,
			`${what} of post ${id}, which is no draft any more`,
			now,
			'This is no draft any more: its owner published, scheduled or deleted it.',
		);
	return row;
}

async function isOwn(db: Db, id: string, program: Program): Promise<boolean> {
	const own = and(eq(programDrafts.postId, id), eq(programDrafts.tokenId, program.id));
	return (await db.$count(programDrafts, own)) > 0;
}

/** Returns the editor's fields of what a program sends. */
async function formOf(db: Db, { markdown, category, ...fields }: DraftFields) {
	const refuse = (name: string, message: string) => invalid({ [name]: message });
	if (markdown !== undefined && fields.content !== undefined)
		throw refuse('markdown', 'Send the article in Markdown or in HTML, not both');
	const content = markdown === undefined ? fields.content : await markdownToHtml(markdown);
	let categoryId: string | undefined;
	if (category !== undefined) {
		const [found] = await db
			.select({ id: categories.id })
			.from(categories)
			.where(eq(categories.slug, category));
		if (!found) throw refuse('category', 'There is no category with this slug');
		categoryId = found.id;
	}
	return {
		...fields,
		...(content !== undefined && { content }),
		...(categoryId !== undefined && { categoryId }),
	};
}

async function readDraft(db: Db, id: string, { siteUrl, now }: Call): Promise<ProgramDraft | null> {
	const post = await getEditedPost(db, id, now);
	if (!post) return null;
	const { title, excerpt, content, tags } = post.form;
	return {
		...{ id, version: post.version, title, excerpt, content, tags },
		category: post.category.slug,
		updatedAt: post.savedAt,
		desk: new URL(`/admin?tab=create&post=${id}`, siteUrl).href,
	};
}
