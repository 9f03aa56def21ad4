import type { Config } from '@netlify/functions';
import { getDb, type Db } from '#db/client.ts';
import { pruneSessions } from '#src/core/session/session.server.ts';
import { pruneTokens } from '#src/core/session/tokens.server.ts';
import { pruneCommentAddresses } from '#src/features/comments/comments.server.ts';
import { purgeDeletedComments } from '#src/features/comments/moderation.server.ts';
import { pruneMessages } from '#src/features/contact/contact.server.ts';
import { prunePageErrors } from '#src/features/errors/errors.server.ts';
import { pruneFeedback } from '#src/features/feedback/feedback.server.ts';
import { pruneVisits } from '#src/features/counts/counts.server.ts';
import { pruneUnconfirmed } from '#src/features/confirmation/confirmation.server.ts';
import { pruneCourses } from '#src/features/course/course.server.ts';
import { pruneLimits } from '#src/core/limits/limits.server.ts';
import { countResponses } from '#src/features/networks/networks.server.ts';
import { pruneOutbox } from '#src/core/outbox/outbox.server.ts';
import { finalizeLetters } from '#src/features/newsletter/letters.server.ts';
import { pruneLeavers } from '#src/features/newsletter/newsletter.server.ts';
import { prunePages } from '#src/features/pages/editing.server.ts';
import { purgeDeletedMedia } from '#src/features/media/media.server.ts';
import { purgeDeletedPosts } from '#src/features/posts/saving.server.ts';
import { pruneBuilds } from '#src/core/builds/builds.server.ts';
import { pruneSingleVisits } from '#src/features/visits/visits.server.ts';
import { pruneUndo } from '#src/core/undo/undo.server.ts';
import { runEach } from '#src/core/steps.server.ts';

/** Each runs by itself, so that one that fails keeps nothing of the rest. */
const STEPS: readonly ((db: Db, now: Date) => Promise<void>)[] = [
	pruneLimits,
	pruneVisits,
	pruneSingleVisits,
	pruneSessions,
	pruneTokens,
	purgeDeletedPosts,
	prunePages,
	purgeDeletedComments,
	purgeDeletedMedia,
	pruneBuilds,
	pruneUndo,
	finalizeLetters,
	pruneOutbox,
	pruneMessages,
	pruneFeedback,
	pruneCommentAddresses,
	pruneCourses,
	pruneUnconfirmed,
	pruneLeavers,
	prunePageErrors,
	countResponses,
];

/**
 * Deletes expired data: personal data as the privacy page says (`RETENTION_DAYS`), sessions, builds, and what was
 * deleted too long ago to be restored. Counts what networks answered to posts about articles.
 */
export default async function maintain(): Promise<Response> {
	const now = new Date();
	await runEach(STEPS.map((step) => [step.name, () => step(getDb(), now)]));
	return new Response(null, { status: 204 });
}

export const config: Config = { schedule: '@hourly' };
