import { expect, test, vi } from 'vitest';
import { hasDayFirst, isAmbiguous, timeOf } from './times.ts';

test.each([
	['2014-05-06', '2014-05-06T00:00:00.000Z'],
	['2014-5-6', '2014-05-06T00:00:00.000Z'],
	['2014-05-06 10:20', '2014-05-06T10:20:00.000Z'],
	['2014-05-06T10:20:30.5Z', '2014-05-06T10:20:30.000Z'],
	['2014-05-06 10:20:30 +0200', '2014-05-06T08:20:30.000Z'],
	['2014-05-06 10:20:30 -07:30', '2014-05-06T17:50:30.000Z'],
	['Tue, 06 May 2014 10:20:30 +0000', '2014-05-06T10:20:30.000Z'],
	['Jul 08 2022', '2022-07-08T00:00:00.000Z'],
	['March 31, 2021', '2021-03-31T00:00:00.000Z'],
	['March 31, 2021 → April 2, 2021', '2021-03-31T00:00:00.000Z'],
	['8 July 2022 10:30 PM', '2022-07-08T22:30:00.000Z'],
	['Fri Jul 08 2022 01:00:00 GMT+0200 (CEST)', '2022-07-07T23:00:00.000Z'],
	['1/2/2023', '2023-01-02T00:00:00.000Z'],
	['13/2/2023 10:20', '2023-02-13T10:20:00.000Z'],
	['1.2.2023', '2023-02-01T00:00:00.000Z'],
	['2023/2/1', '2023-02-01T00:00:00.000Z'],
	['Chapter 2023', null],
	[1_399_371_630, '2014-05-06T10:20:30.000Z'],
	[20_140_506, '2014-05-06T00:00:00.000Z'],
	[2014, null],
	[1_399_371_630_000, '2014-05-06T10:20:30.000Z'],
	[new Date(0), '1970-01-01T00:00:00.000Z'],
	['0000-00-00 00:00:00', null],
	['2014-02-30', null],
	['2023-01-29 18:30:22 2023 -0800', null],
	['soon', null],
	['', null],
	[null, null],
	[Number.NaN, null],
	[1e300, null],
])('%j is %s, in every time zone', (given, time) => {
	for (const zone of ['UTC', 'Asia/Tokyo', 'America/Los_Angeles']) {
		vi.stubEnv('TZ', zone);
		expect(timeOf(given), zone).toBe(time);
	}
});

test('a day of two small numbers is ambiguous, and others of the same folder may settle it', () => {
	expect(['1/2/2023', '1/1/2023', '13/2/2023', '1.2.2023', '2023-01-02'].map(isAmbiguous)).toEqual([
		true,
		false,
		false,
		false,
		false,
	]);
	expect([hasDayFirst('13/2/2023'), hasDayFirst('1/2/2023')]).toEqual([true, false]);
	expect(timeOf('1/2/2023', true)).toBe('2023-02-01T00:00:00.000Z');
});
