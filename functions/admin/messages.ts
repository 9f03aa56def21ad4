import { getDb } from '#db/client.ts';
import { deliverNow } from '#functions/lib/deliver.ts';
import { on } from '#functions/lib/http.ts';
import { letterPage } from '#functions/lib/letter-page.ts';
import { actorOf } from '#functions/lib/writing.ts';
import * as api from '#src/features/contact/messages.api.ts';
import {
	listMessages,
	changeMessage,
	deleteMessage,
	getMessage,
	replyToMessage,
	previewReply,
} from '#src/features/contact/messages.server.ts';

export const messagesRoutes = [
	on(api.listMessages, (query) => listMessages(getDb(), query)),
	on(api.getMessage, ({ id }) => getMessage(getDb(), id)),
	on(api.changeMessage, (input, request) => changeMessage(getDb(), input, actorOf(request))),
	on(api.deleteMessage, (input, request) => deleteMessage(getDb(), input, actorOf(request))),
	on(api.replyToMessage, async (input, request, context) => {
		const answer = await replyToMessage(getDb(), input, actorOf(request));
		context.waitUntil(deliverNow());
		return answer;
	}),
	on(
		api.previewReply,
		async ({ id, text, view }) => {
			const letter = await previewReply(getDb(), id, text);
			return letter && letterPage(letter, view);
		},
		// A frame shows what a form posts to it.
		{ forms: true, status: 200 },
	),
];
