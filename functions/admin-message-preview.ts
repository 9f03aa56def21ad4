import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/contact/messages.api.ts';
import { previewReply } from '#src/features/contact/messages.server.ts';
import { on } from './lib/http.ts';
import { letterPage } from './lib/letter-page.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(
		api.previewReply,
		async ({ id, text, view }) => {
			const letter = await previewReply(getDb(), id, text);
			return letter && letterPage(letter, view);
		},
		// A frame shows what a form posts to it.
		{ forms: true, status: 200 },
	),
);

export const config: Config = { path: '/api/admin/messages/:id/preview' };
