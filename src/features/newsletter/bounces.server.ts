import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, gt } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import type { Db } from '#db/client.ts';
import { outbox } from '#db/schema.ts';
import { stopCourse } from '#src/features/course/course.server.ts';
import { addressVerdict } from '#src/core/outbox/refusal.ts';
import { DAY, SECOND } from '#src/lib/dates.ts';
import { email } from '#src/lib/email.ts';
import { AppError } from '#src/lib/errors.ts';
import { leaveWeekly } from './newsletter.server.ts';

/**
 * A mail provider's report that an address takes no more email (it does not exist, or its owner complained), or that it
 * refused one for another reason, such as a blocklist.
 */
export type Refusal = {
	address: string;
	kind: 'bounce' | 'complaint' | 'rejection';
	reason: string;
};

/** How long after an email a report is taken to be about it. */
const REPORTED_WITHIN_MS = 7 * DAY;
/** How old a report may be. A provider that cannot reach us tries again for hours. */
const MAX_AGE_MS = DAY;

/** An event of a provider that follows Standard Webhooks, in Resend's words. */
const standardEvent = z.object({
	type: z.enum(['email.bounced', 'email.complained']),
	data: z.object({
		to: z.array(email()),
		bounce: z.optional(z.object({ type: z.string(), message: z._default(z.string(), '') })),
	}),
});

const mailgunEvent = z.object({
	event: z.enum(['failed', 'complained']),
	severity: z.optional(z.string()),
	recipient: email(),
	'delivery-status': z.optional(
		z.object({
			message: z._default(z.string(), ''),
			description: z._default(z.string(), ''),
		}),
	),
});
const mailgunSignature = z.object({
	timestamp: z.string(),
	token: z.string(),
	signature: z.string(),
});

/**
 * Returns what a mail provider reports, from the headers and the text of its request. Reports of anything else are none.
 * `once` is what may be used for one report only. Throws if the signature is missing, wrong or old.
 */
export function readRefusals(
	headers: Headers,
	text: string,
	secret: string,
	now: Date,
): { refusals: Refusal[]; once?: { token: string; expiresAt: Date } } {
	const body = parseJson(text);
	const signature = mailgunSignature.safeParse(body['signature']);
	if (signature.success) {
		const expiresAt = verifyMailgun(signature.data, secret, now);
		// It covers no more than a time and a token: who saw one report could send others with it.
		return {
			refusals: fromMailgun(body['event-data']),
			once: { token: signature.data.token, expiresAt },
		};
	}
	verifyStandard(headers, text, secret);
	return { refusals: fromStandard(body) };
}

function parseJson(text: string): Record<string, unknown> {
	try {
		return Object(JSON.parse(text)) as Record<string, unknown>;
	} catch {
		return {};
	}
}

const refuse = () => new AppError('forbidden', 'The signature does not fit this report.');

/** Verifies the signature of Standard Webhooks, under its own names of headers or those of Svix. */
function verifyStandard(headers: Headers, text: string, secret: string): void {
	const header = (name: string) =>
		headers.get(`webhook-${name}`) ?? headers.get(`svix-${name}`) ?? '';
	try {
		new Webhook(secret).verify(text, {
			'webhook-id': header('id'),
			'webhook-timestamp': header('timestamp'),
			'webhook-signature': header('signature'),
		});
	} catch {
		throw refuse();
	}
}

function verifyMailgun(
	{ timestamp, token, signature }: z.infer<typeof mailgunSignature>,
	secret: string,
	now: Date,
): Date {
	const expected = createHmac('sha256', secret)
		.update(timestamp + token)
		.digest();
	const given = Buffer.from(signature, 'hex');
	const age = Math.abs(now.getTime() - Number(timestamp) * SECOND);
	const fits = given.length === expected.length && timingSafeEqual(given, expected);
	if (!fits || !(age <= MAX_AGE_MS)) throw refuse();
	return new Date(Number(timestamp) * SECOND + MAX_AGE_MS);
}

function fromStandard(body: unknown): Refusal[] {
	const { data: event } = standardEvent.safeParse(body);
	if (!event) return [];
	const { to, bounce } = event.data;
	const isComplaint = event.type === 'email.complained';
	if (!isComplaint && bounce?.type !== 'Permanent') return [];
	const reason = bounce?.message ?? '';
	return to.map((address) => ({ address, kind: kindOf(isComplaint, reason), reason }));
}

function fromMailgun(body: unknown): Refusal[] {
	const { data: event } = mailgunEvent.safeParse(body);
	if (!event) return [];
	const { event: name, severity, recipient: address, 'delivery-status': status } = event;
	const isComplaint = name === 'complained';
	if (!isComplaint && severity !== 'permanent') return [];
	const reason = status?.message || status?.description || '';
	return [{ address, kind: kindOf(isComplaint, reason), reason }];
}

/** Providers report as permanent what a server refused for its sender as well. */
function kindOf(isComplaint: boolean, reason: string): Refusal['kind'] {
	if (isComplaint) return 'complaint';
	return addressVerdict(reason) === 'other' ? 'rejection' : 'bounce';
}

/**
 * Records an email that bounced as refused, and ends all subscriptions of an address that takes no more email. Reporting
 * it again changes nothing.
 */
export async function recordRefusal(
	db: Db,
	{ address, kind, reason }: Refusal,
	now: Date,
): Promise<void> {
	if (kind !== 'complaint') await failLastEmail(db, address, reason, now);
	if (kind === 'rejection') return;
	await db.batch([leaveWeekly(db, address, now), stopCourse(db, address, now)]);
}

/** Records the last email to an address as refused, unless one was lately: reports are repeated. */
async function failLastEmail(db: Db, address: string, reason: string, now: Date): Promise<void> {
	const since = new Date(now.getTime() - REPORTED_WITHIN_MS);
	const ofAddress = eq(outbox.recipient, address);
	const [last] = await db
		.select({ id: outbox.id })
		.from(outbox)
		.where(and(ofAddress, gt(outbox.deliveredAt, since)))
		.orderBy(desc(outbox.deliveredAt))
		.limit(1);
	if (!last || (await db.$count(outbox, and(ofAddress, gt(outbox.failedAt, since)))) > 0) return;
	await db
		.update(outbox)
		.set({ deliveredAt: null, failedAt: now, lastError: reason.slice(0, 300) || NO_REASON })
		.where(eq(outbox.id, last.id));
}

const NO_REASON = 'The mail provider reported that it bounced.';
