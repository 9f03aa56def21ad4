import * as z from 'zod/mini';
import type { TransportKind } from '#src/core/outbox/outbox.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import {
	EMAIL_VIEWS,
	outboxQuery,
	TEST_EMAILS,
	type DigestView,
	type EnrollmentView,
	type OutboxView,
	type SentTest,
} from './deliveries.ts';
import type { MailRecords } from './records.ts';

/** The outbox, newest first. */
export const listOutbox = endpoint<OutboxView>()('GET /api/admin/mail', outboxQuery);

/** Sends a test email to the admin: of a letter with what was written so far. */
export const sendTest = endpoint<SentTest>()(
	'POST /api/admin/mail',
	z.object({
		what: z.enum(TEST_EMAILS),
		subject: z.optional(z.string().check(z.maxLength(150))),
		preview: z.optional(z.string().check(z.maxLength(200))),
		content: z.optional(z.string().check(z.maxLength(50_000))),
	}),
);

/** Where emails go. */
export const getTransport = endpoint<{ transport: TransportKind }>()(
	'GET /api/admin/mail/transport',
	nothing,
);

/** Retries a delivery that failed or waits for its next attempt. */
export const retryDelivery = endpoint<{ retried: number }>()(
	'POST /api/admin/mail/:id',
	z.object({ id: z.string() }),
);

/** A delivery's email as HTML. */
export const showEmail = endpoint<string>()(
	'GET /api/admin/mail/:id',
	z.object({ id: z.string() }),
);

/**
 * The next issue as of now, and the state of the latest ones. A browser that opens the address gets the issue's
 * email, in the colors of a theme or as text.
 */
export const getDigest = endpoint<DigestView>()(
	'GET /api/admin/digest',
	z.object({ view: z.optional(z.enum(EMAIL_VIEWS)) }),
);

/** Looks up the DNS records that mail servers judge the sender by. */
export const checkRecords = endpoint<MailRecords>()('GET /api/admin/mail-records', nothing);

/** The newest enrollments. */
export const listEnrollments = endpoint<{ total: number; enrollments: EnrollmentView[] }>()(
	'GET /api/admin/enrollments',
	nothing,
);
