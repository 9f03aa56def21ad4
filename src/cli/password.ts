import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { PASSWORD_RULE } from '#src/core/session/session.ts';
import { faultOf } from '#src/core/session/new-password.server.ts';
import { generatePassword } from '#src/core/session/password.server.ts';
import { HostError } from '#src/host/server.ts';

/**
 * Returns the password to set: the given one, else one typed at the terminal, else a generated one, also if
 * nothing is typed. Throws a `HostError` if it breaks the rule for new passwords.
 */
export async function choosePassword(
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
