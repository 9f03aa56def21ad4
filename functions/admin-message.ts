import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/contact/messages.api.ts';
import {
	changeMessage,
	deleteMessage,
	getMessage,
	replyToMessage,
} from '#src/features/contact/messages.server.ts';
import { deliverNow } from './lib/deliver.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(api.getMessage, ({ id }) => getMessage(getDb(), id)),
	on(api.changeMessage, (input, request) => changeMessage(getDb(), input, actorOf(request))),
	on(api.deleteMessage, (input, request) => deleteMessage(getDb(), input, actorOf(request))),
	on(api.replyToMessage, async (input, request, context) => {
		const answer = await replyToMessage(getDb(), input, actorOf(request));
		context.waitUntil(deliverNow());
		return answer;
	}),
);

export const config: Config = { path: '/api/admin/messages/:id' };
