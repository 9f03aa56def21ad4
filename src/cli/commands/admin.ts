import { prepareDb } from '#src/build/prepare.ts';
import { choosePassword } from '#src/cli/password.ts';
import { setAdmin } from '#src/core/session/session.server.ts';
import { getEnv } from '#src/lib/env.ts';

/** Creates the admin, or sets a new password and ends all sessions. */
export async function admin(): Promise<void> {
	const { ADMIN_EMAIL: email, ADMIN_PASSWORD: given } = getEnv();
	const { password, isMade } = await choosePassword(given);
	const db = await prepareDb();
	const done = await setAdmin(db, { email, password }, new Date());
	db.$client.close();
	console.log(
		done.made
			? `The admin is ${done.email}.`
			: `${done.email} has a new password; all sessions ended.`,
	);
	if (isMade) console.log(`Password, shown only this once: ${password}`);
	else if (given) console.log('The password is that of ADMIN_PASSWORD.');
}
