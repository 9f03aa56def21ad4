/** Prepares the site's database and tells where the site is. */
import type { Db } from '#db/client.ts';
import { prepareDb, prepareLessons, prepareSecret, seedDb } from '#src/build/prepare.ts';
import { mailboxFolder, transportKind } from '#src/core/outbox/transport.server.ts';
import { assertStrongPassword, ensureAdmin, findAdmin } from '#src/core/session/account.server.ts';
import { getEnv, isLoopback, isOnNetlify } from '#src/lib/env.ts';
import { printDuration, printProgress } from './progress.ts';

/** Migrates and seeds the database. Reports what the admin's creation would fail for before that takes minutes. */
export async function prepareSite(opened?: Db): Promise<Db> {
	printProgress({ doing: 'Preparing the database' });
	await prepareSecret();
	const db = await prepareDb(opened);
	// The admin is created last, so an invalid password must be reported before the minutes that this takes.
	if (!(await findAdmin(db))) await assertStrongPassword(getEnv().ADMIN_PASSWORD);
	await seedDb(db);
	await prepareLessons(db);
	printDuration();
	return db;
}

/**
 * Creates the admin if there is none, starts serving, and prints the addresses at once, so that a generated password is
 * never stored without having been shown.
 */
export async function openSite(db: Db, open = () => {}): Promise<void> {
	const { HOST, PORT, ADMIN_EMAIL: email, ADMIN_PASSWORD: password, SITE_URL } = getEnv();
	const { LOG_FORMAT } = getEnv();
	const address = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
	// Logs are stored and forwarded, so no password may appear there.
	const isSecret = LOG_FORMAT === 'json' && !password;
	const admin = isSecret ? await findAdmin(db) : await ensureAdmin(db, { email, password });
	open();
	console.log(`\nSite    ${address}${SITE_URL === address ? '' : ` (known as ${SITE_URL})`}`);
	if (!admin) {
		console.log(
			'There is no admin yet: run `npm run admin`, or set ADMIN_EMAIL and ADMIN_PASSWORD.',
		);
	} else {
		console.log(`Admin   ${address}/admin, as ${admin.email}`);
		if (admin.generatedPassword) {
			console.log(`        Password, shown only this once: ${admin.generatedPassword}`);
		}
	}
	if (transportKind(getEnv()) === 'mailbox') {
		console.log(`Mail    ${mailboxFolder(getEnv().DATABASE_URL)}, because SMTP_URL is not set`);
	}
	console.log(`Proof   ${proofSetting()}\n`);
}

/** Returns whether the pages show invented figures, and why. */
export function proofSetting(): string {
	const { INVENTED_PROOF, SITE_URL } = getEnv();
	const where = isOnNetlify(process.env)
		? 'Netlify is public'
		: `${SITE_URL} is ${isLoopback(SITE_URL) ? 'this machine' : 'public'}`;
	const reason = process.env['INVENTED_PROOF']
		? 'INVENTED_PROOF says so'
		: `INVENTED_PROOF is not set and ${where}`;
	return `${INVENTED_PROOF ? 'invented figures are shown' : 'only real figures are shown'}: ${reason}`;
}
