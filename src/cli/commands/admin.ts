import { prepareDb, prepareSecret } from '#src/build/prepare.ts';
import { setAdmin } from '#src/core/session/account.server.ts';
import { PASSWORD_RULE, RESET_MINUTES } from '#src/core/session/session.ts';
import { HostError } from '#src/host/server.ts';
import { getEnv } from '#src/lib/env.ts';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { faultOf } from '#src/core/session/new-password.server.ts';
import { generatePassword } from '#src/core/session/password.server.ts';

const REMOVE = '--remove-second-factor';

/** Creates the admin, or sets a new password, ends all sessions and, if told to, removes the second factor. */
export async function admin(): Promise<void> {
	const args = process.argv.slice(3);
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

/**
 * Returns the password to set: the given one, else one typed at the terminal, else a generated one, also if
 * nothing is typed. Throws a `HostError` if it breaks the rule for new passwords.
 */
async function choosePassword(
	given: string | undefined,
): Promise<{ password: string; isMade: boolean }> {
	const typed = given ?? (process.stdin.isTTY ? await askPassword() : '');
	if (typed === '') return { password: generatePassword(), isMade: true };
	const fault = await faultOf(typed);
	if (fault) throw new HostError(`${fault}.`);
	return { password: typed, isMade: false };
}

/** Asks for a password without echoing it. */
async function askPassword(): Promise<string> {
	process.stdout.write(
		`${PASSWORD_RULE.replace('Password must be at', 'At')}.\nNew password, or Enter to have one made: `,
	);
	const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
	const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true });
	try {
		return await terminal.question('');
	} finally {
		terminal.close();
		process.stdout.write('\n');
	}
}
