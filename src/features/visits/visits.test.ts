import { expect, test } from 'vitest';
import { campaignOf, hostOf, rangeOf, searchOf } from './visits.ts';

test.each([
	['https://www.forum.example/t/1?user=ada', 'forum.example'],
	['forum.example', 'forum.example'],
	['http://198.51.100.7:8080/x', '198.51.100.7'],
	['https://ada:secret@forum.example/', 'forum.example'],
	['android-app://com.example.reader/', 'com.example.reader'],
	['http://[2001:db8::1]/', ''],
	['localhost', ''],
	['a b', ''],
	["x'--.example", ''],
	['x'.repeat(120) + '.example', ''],
	['', ''],
	[undefined, ''],
])('of the referrer %j the host %j is kept', (referrer, host) => {
	expect(hostOf(referrer)).toBe(host);
});

test.each([
	['newsletter / email / 2026-02-26', 'newsletter / email / 2026-02-26'],
	[
		'ad / cpc / 9b2d6c3e-1f00-4b4e-8d4c-0a6f5e1c2b3d',
		'ad / cpc / 9b2d6c3e-1f00-4b4e-8d4c-0a6f5e1c2b3d',
	],
	['  spring\n sale ', 'spring sale'],
	['mail / ada@example.com', ''],
	['mail / ada%40example.com', ''],
	['customer 12345678', ''],
	[undefined, ''],
])('the campaign %j is counted as %j', (given, name) => {
	expect(campaignOf(given)).toBe(name);
});

test.each([
	['  KV   Cache', 'kv cache'],
	['ＧＰＵ memory', 'gpu memory'],
	['ab', ''],
	['ada@example.com', ''],
	['+1 (555) 010-0199', ''],
	['x'.repeat(81), ''],
	['fp16 on 4090', 'fp16 on 4090'],
])('the search %j is counted as %j', (given, words) => {
	expect(searchOf(given)).toBe(words);
});

test('a range is the last 30 days, and never more than ten years', () => {
	const now = new Date('2026-03-31T23:59:59Z');
	const { first, last } = rangeOf({ from: undefined, to: undefined }, now);
	expect(last - first).toBe(29);
	expect(rangeOf({ from: '0001-01-01', to: undefined }, now).first).toBe(last - 3660);
});
