import { expect, test } from 'vitest';
import { newPassword, PASSWORD_RULE } from './session.ts';
import { generatePassword, hashPassword, verifyPassword } from './password.server.ts';

test('a hash verifies its own password and no other', async () => {
	const hash = await hashPassword('Correct-horse-1');
	expect(await verifyPassword('Correct-horse-1', hash)).toBe(true);
	expect(await verifyPassword('correct-horse-1', hash)).toBe(false);
	expect(await verifyPassword('', hash)).toBe(false);
});

test('the same password has another hash each time, and is in none', async () => {
	const [one, two] = await Promise.all([
		hashPassword('Correct-horse-1'),
		hashPassword('Correct-horse-1'),
	]);
	expect(one).not.toBe(two);
	expect(one).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
});

test('letters that look the same are the same, however they were typed', async () => {
	const hash = await hashPassword('Caf\u00e9-Correct-1');
	expect(await verifyPassword('Cafe\u0301-Correct-1', hash)).toBe(true);
});

test('without a hash no password is right, and finding out takes as long', async () => {
	const hash = await hashPassword('Correct-horse-1');
	/** Microseconds of the processor, of which other programs take none. */
	const least = async (stored: string | undefined) => {
		const times = [];
		for (let index = 0; index < 3; index++) {
			const before = process.cpuUsage();
			expect(await verifyPassword('wrong', stored)).toBe(false);
			const { user, system } = process.cpuUsage(before);
			times.push(user + system);
		}
		return Math.min(...times);
	};
	// Work that was skipped would be a thousand times as fast.
	expect(await least(undefined)).toBeGreaterThan((await least(hash)) / 4);
});

test('a generated password keeps the rule, and is never the same', () => {
	const made = Array.from({ length: 50 }, generatePassword);
	expect(new Set(made).size).toBe(50);
	for (const password of made) {
		expect(newPassword.safeParse(password).success, password).toBe(true);
		expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{18}$/);
	}
});

test.each(['Abkdrfg1', `aA1${'x'.repeat(125)}`])('%s keeps the password rule', (password) => {
	expect(newPassword.safeParse(password).success).toBe(true);
});

test.each(['Abcdef1', 'abcdefg1', 'ABCDEFG1', 'Abcdefgh', `aA1${'x'.repeat(126)}`, '', 12345678])(
	'%s breaks the password rule, and is told the rule',
	(password) => {
		const result = newPassword.safeParse(password);
		expect(result.error?.issues[0]?.message).toBe(PASSWORD_RULE);
	},
);
