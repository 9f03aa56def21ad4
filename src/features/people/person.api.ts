import * as z from 'zod/mini';
import type { DeliveryState } from '#src/core/outbox/outbox.ts';
import type { Progress } from '#src/features/course/course.ts';
import type { Cadence } from '#src/features/newsletter/subscriber.ts';
import type { SubscriberRow } from '#src/features/newsletter/subscribers.ts';
import { email } from '#src/lib/email.ts';
import { endpoint } from '#src/lib/endpoint.ts';

/** Everything about an address, for the owner. Lists are the latest first, 50 at most. */
export type PersonView = {
	email: string;
	/** Null for somebody who never had the letter. */
	subscriber:
		| (SubscriberRow & {
				/** Names of the only topics of the letter; none for all. */
				topics: string[];
				wantsWhole: boolean;
				cadence: Cadence;
		  })
		| null;
	course: (Progress & { createdAt: string; consent: string | null }) | null;
	/** Requests that wait for a yes. */
	unconfirmed: { wish: string; page: string; createdAt: string }[];
	emails: Listed<{
		kind: string;
		/** The subject of a letter, the title of a download, or nothing. */
		title: string;
		state: DeliveryState;
		createdAt: string;
	}>;
	comments: Listed<{
		article: string;
		slug: string;
		content: string;
		isPublic: boolean;
		createdAt: string;
	}>;
	messages: Listed<{ id: string; topic: string; message: string; createdAt: string }>;
	/** All that erasing deletes, in words; empty where nothing is stored. */
	held: string;
};
type Listed<Row> = { total: number; rows: Row[] };

const person = z.object({ email: email() });

export const getPerson = endpoint<PersonView>()('GET /api/admin/person', person);

/** Erases everything about an address, because its owner asked for it. */
export const erasePerson = endpoint<{ erased: string }>()('POST /api/admin/person/erase', person);
