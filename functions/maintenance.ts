import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { pruneSessions } from '#src/core/session/session.server.ts';
import { pruneTokens } from '#src/core/session/tokens.server.ts';
import { pruneCommentAddresses } from '#src/features/comments/comments.server.ts';
import { purgeDeletedComments } from '#src/features/comments/moderation.server.ts';
import { pruneMessages } from '#src/features/contact/contact.server.ts';
import { prunePageErrors } from '#src/features/errors/errors.server.ts';
import { pruneVisits } from '#src/features/counts/counts.server.ts';
import { pruneCourses } from '#src/features/course/course.server.ts';
import { pruneLimits } from '#src/core/limits/limits.server.ts';
import { pruneOutbox } from '#src/core/outbox/outbox.server.ts';
import { settleLetters } from '#src/features/newsletter/letters.server.ts';
import { pruneLeavers } from '#src/features/newsletter/newsletter.server.ts';
import { prunePages } from '#src/features/pages/editing.server.ts';
import { purgeDeletedMedia } from '#src/features/media/media.server.ts';
import { purgeDeletedPosts } from '#src/features/posts/saving.server.ts';
import { pruneBuilds } from '#src/core/builds/builds.server.ts';
import { pruneSingleVisits } from '#src/features/visits/visits.server.ts';
import { pruneUndo } from '#src/core/undo/undo.server.ts';

/**
 * Deletes expired data: personal data as the privacy page says (`RETENTION_DAYS`), sessions, builds, and what was
 * deleted too long ago to be restored. */
export default async function maintain(): Promise<Response> {
	const now = new Date();
	await pruneLimits(getDb(), now);
	await pruneVisits(getDb(), now);
	await pruneSingleVisits(getDb(), now);
	await pruneSessions(getDb(), now);
	await pruneTokens(getDb(), now);
	await purgeDeletedPosts(getDb(), now);
	await prunePages(getDb(), now);
	await purgeDeletedComments(getDb(), now);
	await purgeDeletedMedia(getDb(), now);
	await pruneBuilds(getDb(), now);
	await pruneUndo(getDb(), now);
	await settleLetters(getDb(), now);
	await pruneOutbox(getDb(), now);
	await pruneMessages(getDb(), now);
	await pruneCommentAddresses(getDb(), now);
	await pruneCourses(getDb(), now);
	await pruneLeavers(getDb(), now);
	await prunePageErrors(getDb(), now);
	return new Response(null, { status: 204 });
}

export const config: Config = { schedule: '@hourly' };
