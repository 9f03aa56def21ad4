import { DAY } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { invalid } from '#src/lib/errors.ts';
import { BROKEN_LINK } from '#src/core/screen.ts';
import { seal, unseal } from '#src/lib/token.ts';
import type { CommentState } from './moderation.ts';

/** A link's decision on a comment: `back` undoes it. */
export type Decision =
	| 'approve'
	| 'hide'
	| 'block'
	| `back-${CommentState}`
	| `unblock-${CommentState}`;

type Stamped = { id: string; updatedAt: Date };

const LINK_DAYS = 30;

/** Returns a token that decides on a comment once: as it is now, and within 30 days. */
export function moderationToken({ id, updatedAt }: Stamped, decision: Decision, now: Date): string {
	const until = now.getTime() + LINK_DAYS * DAY;
	return seal(getSecret(), 'moderate', [id, decision, updatedAt.getTime(), until].join(' '));
}

/** Returns the address that decides on a comment once it is confirmed there. */
export function moderationLink(comment: Stamped, decision: Decision, now: Date): string {
	return `${getEnv().SITE_URL}/moderate?token=${moderationToken(comment, decision, now)}`;
}

/** The decision of a link, and the change of the comment as of which it holds. */
export type ModerationLink = { id: string; decision: Decision; stamp: number; token: string };

/** Returns what a token decides. Throws if it is forged or has expired. */
export function readModerationToken(token: string, now: Date): ModerationLink {
	const [id, decision, stamp, until] = unseal(getSecret(), 'moderate', token)?.split(' ') ?? [];
	if (!id) throw invalid({ token: BROKEN_LINK });
	if (now.getTime() > Number(until))
		throw invalid({ token: 'This link has expired. The comment is under Comments at the desk.' });
	return { id, decision: decision as Decision, stamp: Number(stamp), token };
}

/** Returns the address at which a commenter ends the emails about a thread. It never expires. */
export function conversationLink(commentId: string): string {
	return `${getEnv().SITE_URL}/conversation?token=${seal(getSecret(), 'conversation', commentId)}`;
}

/** Returns the comment of such an address. Throws if it is forged. */
export function readConversationToken(token: string): string {
	const id = unseal(getSecret(), 'conversation', token);
	if (!id) throw invalid({ token: BROKEN_LINK });
	return id;
}
