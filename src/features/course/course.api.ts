import * as z from 'zod/mini';
import { choiceOf, linkToken, type Screen } from '#src/core/screen.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { COURSE_CHOICES, enrollInput, type EnrollResponse } from './course.ts';

export const enroll = endpoint<EnrollResponse>()({
	method: 'POST',
	path: '/api/email-course/enroll',
	input: enrollInput,
});

/** The progress page behind its signed link. Without a choice it only shows the progress. */
export const courseProgress = endpoint<Screen>()({
	method: 'POST',
	path: '/course',
	input: z.object({ token: linkToken, choice: choiceOf(COURSE_CHOICES) }),
});
