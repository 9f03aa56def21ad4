import { expect, test } from 'vitest';
import { parse } from '#src/lib/endpoint.ts';
import { mailListInput, mailListPayload, toSignup } from './mail-list.ts';
import { splitName } from './subscriber.ts';

test.each([
	['Ada', 'Ada', ''],
	['Ada King', 'Ada', 'King'],
	['  Ada   Augusta King ', 'Ada', 'Augusta King'],
	['', '', ''],
])('the full name %j is %j and %j', (fullName, name, lastName) => {
	expect(splitName(fullName)).toEqual({ name, lastName });
});

test('a signup becomes the payload of the mail list, and nothing else', () => {
	const signup = {
		email: 'ada@example.com',
		source: 'Floating Newsletter',
		name: 'Ada',
		lastName: 'King',
	};
	expect(mailListPayload(signup, '42')).toEqual({
		email: 'ada@example.com',
		fields: { name: 'Ada', last_name: 'King', company: 'Floating Newsletter' },
		status: 'active',
		groups: ['42'],
	});
	expect(mailListPayload({ email: 'ada@example.com' }, undefined)).toEqual({
		email: 'ada@example.com',
		fields: { name: '', last_name: '', company: '' },
		status: 'active',
		groups: [],
	});
});

test('what comes in is read whole or flat, and an address is needed', () => {
	const whole = parse(mailListInput, { email: ' ADA@example.com', fields: { company: 'X' } });
	const flat = parse(mailListInput, { email: 'ada@example.com', 'fields[company]': 'X' });
	expect(toSignup(whole)).toEqual(toSignup(flat));
	expect(() => parse(mailListInput, { fields: {} })).toThrow();
	expect(() => parse(mailListInput, { email: 'a@example.com', fields: 'x' })).toThrow();
});
