import { setBuilder } from '#src/core/builds/builder.server.ts';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { asAdmin } from './admin.ts';
import { useTestDb } from './db.ts';
import { copySeed } from './seed.ts';

/** Returns a database as it is after the first start, and what asks it as the admin does. Nothing is built. */
export async function useSeededDesk() {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = await useTestDb();
	await copySeed(db);
	const admin = await asAdmin(db);
	const ask = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, admin);
	return { db, admin, ask };
}
