import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, provideSettings } from '#src/site.ts';
import { faultOf } from './new-password.server.ts';
import { generatePassword } from './password.server.ts';
import { COMMON_PASSWORD, PASSWORD_RULE } from './session.ts';
import { strengthOf } from './strength.ts';

beforeAll(() => provideSettings({ ...DEFAULT_SETTINGS, name: 'Ground Truth' }));
afterAll(() => provideSettings(DEFAULT_SETTINGS));

test.each([
	'Password1',
	'P@ssw0rd',
	'Pa$$w0rd!',
	'PASSWORDpassword1',
	'Password1Password1Password1',
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
	// From the lists alone, with the letters and digits that rules ask for.
	'Cjkysirj1',
	'Marseille13',
])('%s is among the first that are tried', async (password) => {
	expect(await faultOf(password)).toBe(COMMON_PASSWORD);
});

test.each([
	'Correct-Horse-7',
	'Other-password-1',
	'Xk9#27!41',
	'Dragonfly-Pond-3',
	'Tr0ubadour&3',
	'My1stWinterInOslo',
	'Пароль-Hedgehog-7',
])('%s is not', async (password) => {
	expect(await faultOf(password)).toBeUndefined();
});

test('a password that we make is never common', async () => {
	for (let index = 0; index < 200; index++) {
		expect((await strengthOf(generatePassword())).label).toBe('Strong');
	}
});

test('what breaks the rule is told the rule, common or not', async () => {
	for (const password of ['password', 'short1A', 'a'.repeat(60_000)]) {
		expect(await faultOf(password)).toBe(PASSWORD_RULE);
	}
});

test('a name that strangers would try makes a password weak', async () => {
	expect((await strengthOf('ZyxhollowMill9')).isCommon).toBe(false);
	expect((await strengthOf('ZyxhollowMill9', ['Zyxhollow Mill'])).isCommon).toBe(true);
});
