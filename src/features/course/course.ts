import * as z from 'zod/mini';
import { email, antiBotFields } from '#src/lib/email.ts';
import { DAY, longDate } from '#src/lib/dates.ts';
import { emailField, failureWith, type FormSpec, type Sent } from '#src/lib/form.ts';
import { plural } from '#src/lib/text.ts';
import { paths, site } from '#src/site.ts';
import type { EmailContent } from '#src/core/outbox/email-content.ts';
import type { Choice, Screen, Step } from '#src/core/screen.ts';

/** The course's lessons by day. */
export const LESSONS = [
	'Neural Networks',
	'Training Models',
	'Natural Language Processing',
	'Computer Vision',
	'Generative AI and LLMs',
	'MLOps and Deployment',
	'AI Ethics',
] as const;

export const enrollInput = z.object({
	email: email(),
	...antiBotFields,
});
export type EnrollInput = z.infer<typeof enrollInput>;

/** The same whether or not the address was already enrolled. */
export type EnrollResponse = Sent;
export const ENROLLED = 'Check your email for Day 1';

/** The toasts of the course form (product.md section 8). */
export const enrollSuccess = {
	title: 'Welcome to the course! 🎓',
	description: 'Check your inbox for Day 1 lesson',
};
export const enrollFailure = failureWith('Error', 'Failed to enroll. Please try again.');

export const enrollForm: FormSpec = {
	title: 'Enroll in the email course',
	submit: 'Start the course',
	thanks: paths.thanks('enroll'),
	fields: [{ ...emailField, label: 'Email address' }],
};

/** The progress of one address in the course. */
export type Progress = {
	/** Lessons sent so far, 0 to 7. */
	lesson: number;
	state: 'running' | 'paused' | 'stopped' | 'done';
	/** When the next lesson is sent, while the course runs. */
	nextAt: Date | null;
	/** How many lessons a daily schedule since the enrollment would have sent in addition. */
	behind: number;
};

type Enrollment = {
	lesson: number;
	nextAt: Date | null;
	pausedAt: Date | null;
	stoppedAt: Date | null;
	createdAt: Date;
};

export function progressOf(enrollment: Enrollment, now: Date): Progress {
	const { lesson, nextAt, createdAt } = enrollment;
	const days = Math.floor((now.getTime() - createdAt.getTime()) / DAY) + 1;
	const state =
		lesson >= LESSONS.length
			? 'done'
			: enrollment.stoppedAt
				? 'stopped'
				: enrollment.pausedAt
					? 'paused'
					: 'running';
	return { lesson, state, nextAt, behind: Math.max(0, Math.min(days, LESSONS.length) - lesson) };
}

/** Returns the next time after `now` at the hour of enrollment. */
export function nextTime(createdAt: Date, now: Date): Date {
	const days = Math.floor((now.getTime() - createdAt.getTime()) / DAY) + 1;
	return new Date(createdAt.getTime() + days * DAY);
}

export const COURSE_CHOICES = ['next', 'catch-up', 'pause', 'resume', 'stop'] as const;
export type CourseChoice = (typeof COURSE_CHOICES)[number];

const CHOICES: Record<CourseChoice, Choice> = {
	next: { value: 'next', label: 'Send the next lesson now' },
	'catch-up': { value: 'catch-up', label: 'Catch up', quiet: true },
	pause: { value: 'pause', label: 'Pause', quiet: true },
	resume: { value: 'resume', label: 'Go on, one lesson a day' },
	stop: { value: 'stop', label: 'Stop the course', quiet: true },
};

export function courseChoices({ state, behind }: Progress): Choice[] {
	if (state === 'done') return [];
	if (state !== 'running') return [CHOICES.resume, CHOICES.next];
	const catchUp = {
		...CHOICES['catch-up'],
		label: `Catch up: send the ${plural(behind, 'lesson')} I missed`,
	};
	return [CHOICES.next, ...(behind > 1 ? [catchUp] : []), CHOICES.pause, CHOICES.stop];
}

export function courseSentence({ lesson, state, nextAt }: Progress): string {
	if (state === 'done') return 'All seven lessons are in your inbox.';
	const sent = `${plural(lesson, 'lesson')} of ${LESSONS.length} sent.`;
	if (state === 'stopped') return `${sent} The course is stopped. You won’t get more lessons.`;
	if (state === 'paused') return `${sent} The course is paused until you go on.`;
	return nextAt ? `${sent} The next one comes on ${longDate(nextAt)}.` : sent;
}

/** Returns the progress page of the course. */
export function courseScreen(progress: Progress): Screen {
	const steps = LESSONS.map((label, index): Step => {
		const state = index < progress.lesson ? 'done' : index === progress.lesson ? 'next' : 'ahead';
		return { label: `Day ${index + 1}: ${label}`, state, note: STEP_NOTES[state] };
	});
	return {
		title: 'Your course',
		sections: [
			{
				text: courseSentence(progress),
				when: progress.nextAt?.toISOString(),
				steps,
				choices: courseChoices(progress),
			},
		],
	};
}
const STEP_NOTES = { done: 'sent', next: 'next', ahead: 'to come' };

/** The progress page before the progress is requested. */
export const COURSE_PROMPT: Screen = {
	title: 'Your course',
	sections: [
		{
			text: 'Seven lessons, one a day by email.',
			choices: [{ value: '', label: 'Show my progress' }],
		},
	],
};

/** The progress page for an address that never enrolled. */
export const NOT_ENROLLED: Screen = {
	title: 'Your course',
	sections: [{ text: 'This address is not enrolled in the email course.', choices: [] }],
};

/** A lesson of content/lessons, rendered for email. */
export type Lesson = { title: string; summary: string; html: string; text: string };

export function lessonEmail(
	day: number,
	lesson: Lesson,
	siteUrl: string,
	links: { leave: string; preferences: string; course: string },
): EmailContent {
	const next = LESSONS[day];
	// Links in a lesson are relative to the site; an email has no base address.
	const html = lesson.html.replaceAll('href="/', `href="${siteUrl}/`);
	const text = lesson.text.replaceAll('](/', `](${siteUrl}/`);
	const end = next ? `Tomorrow: ${next}.` : site.words.mailCourseEnd;
	return {
		subject: `Day ${day}: ${lesson.title}`,
		preview: lesson.summary,
		label: `Day ${day} of ${LESSONS.length}`,
		title: lesson.title,
		blocks: [
			{ kind: 'article', html, text },
			{ kind: 'text', text: end },
			{ kind: 'button', label: 'Your course: progress, pause, next', href: links.course },
		],
		why: 'You get this because this address was enrolled in the seven-day email course. If that was not you, unsubscribe and no more lessons come.',
		links,
	};
}
