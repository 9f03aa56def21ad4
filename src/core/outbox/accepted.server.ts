import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '#src/lib/env.ts';
import type { AcceptedDeliveries } from './outbox.ts';
import { databasePath } from './transport.server.ts';

/**
 * Returns the accepted deliveries of an embedded database: each is an empty file beside it, which is there at once, while
 * a row waits for other writers. Returns undefined for databases elsewhere, whose workers share no folder.
 */
export function acceptedDeliveries({
	DATABASE_URL,
}: Pick<Env, 'DATABASE_URL'>): AcceptedDeliveries | undefined {
	if (!DATABASE_URL.startsWith('file:')) return undefined;
	const fileOf = (id: string) => join(`${databasePath(DATABASE_URL)}.accepted`, id);
	return {
		has: (id) => existsSync(fileOf(id)),
		add(id) {
			try {
				mkdirSync(dirname(fileOf(id)), { recursive: true });
				writeFileSync(fileOf(id), '');
			} catch (error) {
				// The row is about to say so too.
				console.error('An accepted delivery could not be kept as a file.', error);
			}
		},
		delete: (id) => rmSync(fileOf(id), { force: true }),
	};
}
