import type { Db } from '#db/client.ts';
import { contactMessages } from '#db/schema.ts';
import type { ContactInput } from './contact.ts';

/** Stores a message to the site's owner. */
export async function storeMessage(
	db: Db,
	input: ContactInput,
	now: Date,
): Promise<{ success: true }> {
	const { name, email, topic, message } = input;
	await db.insert(contactMessages).values({ name, email, topic, message, createdAt: now });
	return { success: true };
}
