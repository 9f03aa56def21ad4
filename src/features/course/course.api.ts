import * as z from 'zod/mini';
import { choiceOf, linkToken, type Screen } from '#src/core/screen.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { COURSE_CHOICES, enrollInput, type EnrollResponse } from './course.ts';

export const enroll = endpoint<EnrollResponse>()('POST /api/email-course/enroll', enrollInput);

/** The progress page behind its signed link. Without a choice it only shows the progress. */
export const courseProgress = endpoint<Screen>()(
	'POST /course',
	z.object({ token: linkToken, choice: choiceOf(COURSE_CHOICES) }),
);
