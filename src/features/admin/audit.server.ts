import type { Db } from '#db/client.ts';
import { auditLog } from '#db/schema.ts';

export type Deed = {
	/** The admin's e-mail address, or the name of a command. */
	actor: string;
	/** A verb in the past: `published`, `signed in`. */
	action: string;
	/** What it was done to: a kind and an id, such as `post 3f2a…`. */
	subject: string;
	/** In words, for a person. Never a secret. */
	detail?: string | undefined;
};

/** A statement for the batch that does the deed, so that nothing is done without a trace. */
export function audit(db: Db, { actor, action, subject, detail }: Deed, now: Date) {
	return db
		.insert(auditLog)
		.values({ actor, action, subject, detail: detail ?? null, createdAt: now });
}
