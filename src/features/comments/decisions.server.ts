import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { comments } from '#db/schema.ts';
import type { Screen } from '#src/core/screen.ts';
import type { StoredSettings } from '#src/core/settings/setting.ts';
import { changeSettings } from '#src/core/settings/settings.server.ts';
import { moderationToken, type Decision, type ModerationLink } from './links.server.ts';
import type { CommentState } from './moderation.ts';
import { decideComments, type TouchedPosts } from './moderation.server.ts';

/** A screen, and the token of what its button does. */
export type DecisionScreen = { screen: Screen; token: string };

/** The name in the log of decisions by a link in an email. */
const ACTOR = 'a link in an email';

const LABELS = {
	approve: 'Approve this comment',
	hide: 'Hide this comment',
	block: 'Hide this comment and block its address',
};
const NOW: Record<CommentState, string> = {
	visible: 'Readers see it now.',
	hidden: 'Readers do not see it.',
	waiting: 'It waits for a decision.',
};

const stateOf = (row: { approved: boolean; reviewedAt: Date | null }): CommentState =>
	row.approved ? 'visible' : row.reviewedAt ? 'hidden' : 'waiting';

async function find(db: Db, id: string) {
	const [row] = await db
		.select()
		.from(comments)
		.where(and(eq(comments.id, id), isNull(comments.deletedAt)));
	return row;
}

const plain = (title: string, text: string): Screen => ({
	title,
	sections: [{ text, choices: [] }],
});
const GONE = plain(
	'The comment is gone',
	'It was deleted or taken back: there is nothing to decide.',
);

/** Returns what a link in an email would do. Changes nothing. */
export async function showDecision(db: Db, link: ModerationLink): Promise<DecisionScreen> {
	const { id, decision, stamp, token } = link;
	const row = await find(db, id);
	if (!row) return { screen: GONE, token };
	if (row.updatedAt.getTime() !== stamp) return { screen: stale(row), token };
	const title = labelOf(decision);
	const screen: Screen = {
		title,
		sections: [
			{
				title: row.author,
				quote: row.content,
				text: NOW[stateOf(row)],
				choices: [{ value: '', label: title }],
			},
		],
	};
	return { screen, token };
}

const labelOf = (decision: Decision) =>
	decision in LABELS ? LABELS[decision as keyof typeof LABELS] : 'Undo';

function stale(row: Parameters<typeof stateOf>[0]): Screen {
	return plain(
		'Nothing was changed',
		`The comment was decided on or edited since this email was sent. ${NOW[stateOf(row)]}`,
	);
}

/** Does what a link in an email says, once: after it, and after any other change of the comment, it does nothing. */
export async function decideByLink(
	db: Db,
	link: ModerationLink,
	now: Date,
): Promise<DecisionScreen & TouchedPosts> {
	const { id, decision, stamp, token } = link;
	const row = await find(db, id);
	if (!row) return { screen: GONE, token, postIds: [] };
	const before = stateOf(row);
	if (row.updatedAt.getTime() !== stamp) return { screen: stale(row), token, postIds: [] };
	const state = targetOf(decision);
	const isBlock = decision === 'block';
	// Without an address, which is kept for a year, only the comment is hidden.
	if (row.email && (isBlock || decision.startsWith('unblock-'))) {
		const block = ({ blocked }: StoredSettings) => {
			const others = blocked.filter((one) => one !== row.email);
			return { blocked: isBlock ? [...others, row.email] : others };
		};
		await changeSettings(db, block, ACTOR, now);
	}
	const { postIds } = await decideComments(db, { ids: [id], state }, ACTOR, now);
	const after = (await find(db, id)) ?? row;
	const undo: Decision = isBlock ? `unblock-${before}` : `back-${before}`;
	const isUndo = decision.startsWith('back-') || decision.startsWith('unblock-');
	const screen: Screen = {
		title: isUndo ? 'Undone' : 'Done',
		sections: [
			{
				title: row.author,
				text: `${NOW[stateOf(after)]}${isBlock && row.email ? ' Further comments from this address are hidden.' : ''}`,
				choices: isUndo ? [] : [{ value: '', label: 'Undo', quiet: true }],
			},
		],
	};
	return { screen, token: moderationToken(after, undo, now), postIds };
}

function targetOf(decision: Decision): CommentState {
	if (decision === 'approve') return 'visible';
	if (decision === 'hide' || decision === 'block') return 'hidden';
	return decision.slice(decision.indexOf('-') + 1) as CommentState;
}
