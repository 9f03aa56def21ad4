import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import {
	messageChange,
	messageDeletion,
	messagesQuery,
	replyDraft,
	replyInput,
	type Box,
	type Message,
	type MessageRow,
} from './messages.ts';

/** Messages of the contact form, newest first, with the number of messages in each box. */
export const listMessages = endpoint<Paged<MessageRow> & { counts: Record<Box | 'new', number> }>()(
	'GET /api/admin/messages',
	messagesQuery,
);

export const getMessage = endpoint<Message>()(
	'GET /api/admin/messages/:id',
	z.object({ id: z.string() }),
);

/**
 * Gives a message another state; a deleted one is restored by it. An outdated `version` is a `conflict` that carries the
 * stored message.
 */
export const changeMessage = endpoint<Message>()('PUT /api/admin/messages/:id', messageChange);

/** Deletes a message. Returns it as it is now, or as it was if it is erased. */
export const deleteMessage = endpoint<Message>()('DELETE /api/admin/messages/:id', messageDeletion);

/** Sends a reply to a message by email. */
export const replyToMessage = endpoint<Message>()('POST /api/admin/messages/:id', replyInput);

/** A reply as the email that it would be. A form posts it into a frame. */
export const previewReply = endpoint<string>()('POST /api/admin/messages/:id/preview', replyDraft);
