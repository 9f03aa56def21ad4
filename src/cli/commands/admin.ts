import { prepareDb, prepareSecret } from '#src/build/prepare.ts';
import { choosePassword } from '#src/cli/password.ts';
import { setAdmin } from '#src/core/session/account.server.ts';
import { RESET_MINUTES } from '#src/core/session/session.ts';
import { HostError } from '#src/host/server.ts';
import { getEnv } from '#src/lib/env.ts';

const REMOVE = '--remove-second-factor';

/** Creates the admin, or sets a new password, ends all sessions and, if told to, removes the second factor. */
export async function admin(): Promise<void> {
	const args = process.argv.slice(3);
	const unknown = args.find((arg) => arg !== REMOVE);
	if (unknown) throw new HostError(`"${unknown}" is unknown here; ${REMOVE} is not.`);
	const { ADMIN_EMAIL: email, ADMIN_PASSWORD: given } = getEnv();
	const { password, isMade } = await choosePassword(given);
	const db = await prepareDb();
	await prepareSecret();
	const done = await setAdmin(
		db,
		{ email, password, removesSecondFactor: args.includes(REMOVE) },
		new Date(),
	);
	db.$client.close();
	console.log(
		done.made
			? `The admin is ${done.email}.`
			: `${done.email} has a new password; all sessions ended.`,
	);
	if (done.needsCode) {
		console.log(
			`A code of the authenticator app is still asked for; npm run admin -- ${REMOVE} ends that.`,
		);
	} else if (args.length > 0) console.log('The password alone is enough to sign in.');
	if (done.link) {
		console.log(
			`Where others keep you from signing in, choose a password by this link within ${RESET_MINUTES} minutes: ${done.link}`,
		);
	}
	if (isMade) console.log(`Password, shown only this once: ${password}`);
	else if (given) console.log('The password is that of ADMIN_PASSWORD.');
}
