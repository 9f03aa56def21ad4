import { expect, test } from 'vitest';
import { COMMON_PASSWORD, newPassword, PASSWORD_RULE } from './session.ts';
import { isCommonPassword } from './common-passwords.ts';
import { generatePassword } from './password.server.ts';
import { DEFAULT_SETTINGS, provideSettings } from '#src/site.ts';

provideSettings({ ...DEFAULT_SETTINGS, name: 'Ground Truth' });

test.each([
	'Password1',
	'P@ssw0rd',
	'Pa$$w0rd!',
	'PASSWORDpassword1',
	'Welcome2026!',
	'Qwerty123',
	'1q2w3e4R',
	'1Qaz2wsx',
	'Abcd1234',
	'Admin@2026',
	'Administrator1',
	'Iloveyou2',
	'Summer24!',
	'Aa123456',
	'Aaaaaaaa1',
	'Groundtruth1',
	'Changeme123!',
	'Letmein99',
])('%s is among the first that are tried', (password) => {
	expect(isCommonPassword(password, 'Ground Truth')).toBe(true);
	expect(newPassword.safeParse(password).error?.issues[0]?.message).toBe(COMMON_PASSWORD);
});

test.each([
	'Correct-Horse-7',
	'Other-password-1',
	'Xk9#27!41',
	'Dragonfly-Pond-3',
	'Tr0ubadour&3',
	'My1stWinterInOslo',
	'Password1Password1Password1',
])('%s is not', (password) => {
	expect(newPassword.safeParse(password).success).toBe(true);
});

test('a password that we make is never common', () => {
	for (let index = 0; index < 200; index++) {
		expect(isCommonPassword(generatePassword())).toBe(false);
	}
});

test('what breaks the rule is told the rule, common or not', () => {
	for (const password of ['password', 'short1A', 'a'.repeat(60_000)]) {
		expect(newPassword.safeParse(password).error?.issues[0]?.message).toBe(PASSWORD_RULE);
	}
});
