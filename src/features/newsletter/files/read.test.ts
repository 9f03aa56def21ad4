import { expect, test } from 'vitest';
import { guessMapping, readSheet, readSubscribers } from './read.ts';

const read = (text: string) => {
	const sheet = readSheet(text);
	return readSubscribers(sheet, guessMapping(sheet.header));
};

test('columns are found by their names, however they are written', () => {
	expect(
		guessMapping(['Email Address', 'First_Name', 'Last name', 'STATUS', 'subscribed_at']),
	).toEqual({
		email: 0,
		name: 1,
		lastName: 2,
		source: -1,
		active: 3,
		createdAt: 4,
		leftAt: -1,
		consent: -1,
		labels: -1,
	});
	expect(guessMapping(['Adresse']).email).toBe(-1);
});

test('a file without a header is a list of addresses', () => {
	const { subscribers, errors } = read('ada@x.example\ngrace@x.example\n');
	expect(subscribers.map(({ email }) => email)).toEqual(['ada@x.example', 'grace@x.example']);
	expect(errors).toEqual([]);
});

test('rows that are wrong are told with their lines, the others are read', () => {
	const { subscribers, errors } = read(
		'email,active,created_at\nADA@x.example,yes,2024-05-01\nnonsense,yes,\ngrace@x.example,perhaps,\nalan@x.example,no,someday\n,yes,',
	);
	expect(subscribers).toEqual([
		{
			email: 'ada@x.example',
			name: null,
			lastName: null,
			source: null,
			active: true,
			createdAt: '2024-05-01T00:00:00.000Z',
			leftAt: null,
			consent: null,
		},
	]);
	expect(errors).toEqual([
		{ line: 3, value: 'nonsense', message: 'Please enter a valid email address' },
		{ line: 4, value: 'grace@x.example', message: '“perhaps” says neither active nor inactive' },
		{ line: 5, value: 'alan@x.example', message: '“someday” is no date' },
		{ line: 6, value: '', message: 'Please enter your email address.' },
	]);
});

test('rows of one address are merged, and who left in one has left', () => {
	const { subscribers, duplicates } = read(
		'email,name,source,active,created_at\na@x.example,,List,true,2024-05-02 10:00\nA@x.example,Ada,Other,unsubscribed,2024-05-01 10:00:00',
	);
	expect(duplicates).toBe(1);
	expect(subscribers).toMatchObject([
		{
			email: 'a@x.example',
			name: 'Ada',
			source: 'List',
			active: false,
			createdAt: '2024-05-01T10:00:00.000Z',
		},
	]);
});

test('what an export guarded comes back as it was', () => {
	expect(read("email,first_name\n'+b@x.example,'=Ada").subscribers).toMatchObject([
		{ email: '+b@x.example', name: '=Ada' },
	]);
});

test.each([
	['is_active', 'no', 'yes'],
	['isActive', 'false', 'true'],
	['Active?', '0', '1'],
	['Confirmed?', 'no', 'yes'],
	['isSubscribed', 'false', 'true'],
	['hasUnsubscribed', 'true', 'false'],
	['Newsletter', 'no', 'yes'],
	['Mailing list', '0', '1'],
	['Inactive', 'yes', 'no'],
	['Unconfirmed', 'yes', 'no'],
	['Not subscribed', 'yes', 'no'],
	['un-subscribed', 'yes', 'no'],
	['Consent withdrawn', 'yes', 'no'],
	['deactivated_at', '2024-05-01 10:00:00', ''],
])('a column %s says who gets letters', (label, left, stays) => {
	const { subscribers } = read(`email,${label}\nada@x.example,${left}\nbob@x.example,${stays}`);
	expect(subscribers.map(({ active }) => active)).toEqual([false, true]);
});

test('who left in a row that is wrong has left', () => {
	const { subscribers, errors } = read(
		'email,status,created_at\nada@x.example,active,2023-01-01\nada@x.example,unsubscribed,someday',
	);
	expect(errors).toHaveLength(1);
	expect(subscribers).toMatchObject([{ email: 'ada@x.example', active: false }]);
});

test('who was added “2 years ago” is taken without a day, as Sendy tells none', () => {
	const { subscribers, errors } = read(
		'email,status,date added\nada@x.example,Subscribed,2 years ago\n',
	);
	expect(errors).toEqual([]);
	expect(subscribers).toMatchObject([{ email: 'ada@x.example', active: true, createdAt: null }]);
});
