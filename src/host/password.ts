import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { newPassword, PASSWORD_RULE } from '#src/features/admin/admin.ts';
import { generatePassword } from '#src/features/admin/password.server.ts';

/**
 * The password that somebody wants: the given one, else one that is typed where there is a terminal, else a made one.
 * Nothing typed means a made one too. Answers undefined where it breaks the rule of section 5.
 */
export async function choosePassword(
	given: string | undefined,
): Promise<{ password: string; isMade: boolean } | undefined> {
	const typed = given ?? (process.stdin.isTTY ? await ask() : '');
	if (typed === '') return { password: generatePassword(), isMade: true };
	return newPassword.safeParse(typed).success ? { password: typed, isMade: false } : undefined;
}

/** Asks without showing what is typed. */
async function ask(): Promise<string> {
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
