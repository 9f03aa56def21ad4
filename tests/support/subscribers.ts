import { vi } from 'vitest';
import { listSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from './admin.ts';
import { useTestDb } from './db.ts';

export const NOON = new Date('2026-03-01T12:00:00Z');
export const ALL = { page: 1, sort: '-created', q: '' } as const;

/** Signs in at noon, to a database of nobody. `emails` returns the addresses that a query of the list finds. */
export async function subscribersDesk() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const emails = async (query: object) =>
		(await call(listSubscribers, { ...ALL, ...query }, admin)).rows.map(({ email }) => email);
	return { db, admin, emails };
}
