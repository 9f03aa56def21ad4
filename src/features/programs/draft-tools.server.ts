import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Db } from '#db/client.ts';
import {
	callsPerProgram,
	consumeAttempt,
	picturesPerProgram,
	type Limit,
} from '#src/core/limits/limits.server.ts';
import { mediaPath } from '#src/features/media/media.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';
import { createDraft, updateDraft, type Call } from './drafts.server.ts';
import { DRAFT_TOOLS } from './programs.ts';
import { actorNamed } from './tokens.ts';

const text = (what: string) => z.optional(z.string().check(z.describe(what)));
const fields = {
	title: text('At most 200 characters.'),
	excerpt: text('What lists show of it, at most 500 characters.'),
	markdown: text('The article in Markdown. A first heading is no title: send that as `title`.'),
	content: text('The article in HTML, instead of Markdown.'),
	tags: z.optional(z.array(z.string())),
	category: text('Slug of a category.'),
};

/** Offers the tools that write drafts. A key that no tool has, such as `published`, is refused and logged, not dropped. */
export function addDraftTools(server: McpServer, db: Db, call: Call): void {
	const { program, siteUrl, now } = call;
	const known = (name: keyof typeof DRAFT_TOOLS) => ({
		...DRAFT_TOOLS[name],
		annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
	});
	server.registerTool(
		'create_draft',
		{
			...known('create_draft'),
			inputSchema: z.looseObject({
				id: z.optional(z.uuid().check(z.describe('Lets the call be repeated.'))),
				...fields,
			}),
		},
		(given) => answer(() => createDraft(db, given, call)),
	);
	server.registerTool(
		'update_draft',
		{
			...known('update_draft'),
			inputSchema: z.looseObject({
				id: z.string(),
				version: z.int().check(z.describe('That of the last answer.')),
				...fields,
			}),
		},
		(given) => answer(() => updateDraft(db, given, call)),
	);
	server.registerTool(
		'upload_image',
		{
			...known('upload_image'),
			inputSchema: z.object({
				name: z.string().check(z.trim(), z.maxLength(200), z.describe('A file name.')),
				data: z.string().check(z.minLength(1), z.describe('Base64.')),
				alt: z.optional(
					z
						.string()
						.check(
							z.trim(),
							z.maxLength(500),
							z.describe('What can be seen on it, for who does not see it.'),
						),
				),
			}),
		},
		(given) =>
			answer(async () => {
				// Loaded here alone: it decodes pictures by a native package.
				const { storeMedia } = await import('#src/features/media/upload.server.ts');
				const actor = { actor: actorNamed(program), now };
				const { id, name, alt, width, height } = await storeMedia(db, given, actor);
				const path = mediaPath(id);
				const markdown = `![${alt.replace(/[[\]\\]/g, '\\$&')}](${path})`;
				return { id, name, alt, width, height, markdown, page: new URL(path, siteUrl).href };
			}, picturesPerProgram),
	);

	/** Runs a tool within the program's limits. What the owner or the program can do about a failure is its answer. */
	async function answer(work: () => Promise<object>, ...more: Limit[]) {
		try {
			for (const limit of [callsPerProgram, ...more])
				await consumeAttempt(db, limit, getSecret(), program.id, now);
			const structuredContent = { ...(await work()) };
			return {
				structuredContent,
				content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
			};
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const faults = Object.entries(error.fields ?? {}).map(([name, fault]) => `${name}: ${fault}`);
			const said = [error.message, ...faults].join(' ');
			return { isError: true, content: [{ type: 'text' as const, text: said }] };
		}
	}
}
