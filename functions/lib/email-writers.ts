import type { Db } from '#db/client.ts';
import {
	messageEmail,
	answersTo,
	replyEmail,
	type ReplyPayload,
} from '#src/features/contact/contact.server.ts';
import type { ContactInput } from '#src/features/contact/contact.ts';
import {
	answerWriter,
	approvedWriter,
	ownerWriter,
} from '#src/features/comments/notices.server.ts';
import { confirmWriter } from '#src/features/confirmation/confirmation.server.ts';
import { lessonWriter } from '#src/features/course/course.server.ts';
import { downloadWriter } from '#src/features/downloads/downloads.server.ts';
import { failedCopyEmail, type FailedCopyPayload } from '#src/core/copies/copies.server.ts';
import type { MailKind } from '#src/core/outbox/kinds.ts';
import type { Writer } from '#src/core/outbox/mail.server.ts';
import { resetWriter } from '#src/core/session/reset.server.ts';
import {
	accountChangeEmail,
	signInEmail,
	type ChangePayload,
	type SignInPayload,
} from '#src/core/session/sign-in-emails.ts';
import { dataWriter } from '#src/features/privacy/privacy.server.ts';
import { digestWriter, welcomeWriter } from '#src/features/newsletter/issues.server.ts';
import { letterWriter } from '#src/features/newsletter/letters.server.ts';
import { approvalWriter, testWriter } from '#src/features/newsletter/next-issue.server.ts';
import { getEnv } from '#src/lib/env.ts';

export function writersOf(db: Db): Record<MailKind, Writer> {
	return {
		confirm: confirmWriter(db),
		welcome: welcomeWriter(db),
		digest: digestWriter(db),
		letter: letterWriter(db),
		approval: approvalWriter(db),
		lesson: lessonWriter(db),
		download: downloadWriter(),
		data: dataWriter(),
		contact: async ({ payload }) => messageEmail(payload as ContactInput),
		reply: async ({ payload }) => replyEmail(payload as ReplyPayload, await answersTo(db)),
		comment: ownerWriter(db),
		approved: approvedWriter(db),
		answer: answerWriter(db),
		copy: async ({ payload }) => failedCopyEmail(payload as FailedCopyPayload),
		'sign-in': async ({ payload }) => signInEmail(payload as SignInPayload, getEnv().SITE_URL),
		account: async ({ payload }) => accountChangeEmail(payload as ChangePayload, getEnv().SITE_URL),
		reset: resetWriter(db),
		test: testWriter(db),
	};
}
