import { expect, test } from 'vitest';
import { limitSubjectOf } from '#functions/lib/public-form.ts';

test.each([
	['203.0.113.1', '203.0.113.1'],
	['::ffff:203.0.113.1', '203.0.113.1'],
	['::FFFF:203.0.113.1', '203.0.113.1'],
	['203.0.113.1:5555', '203.0.113.1'],
	['203.0.113.1:', '203.0.113.1'],
	['::ffff:203.0.113.1:5555', '203.0.113.1'],
	['[::ffff:203.0.113.1]:5555', '203.0.113.1'],
	['', ''],
])('an IPv4 address is a subject of its own: %s', (ip, subject) => {
	expect(limitSubjectOf(ip)).toBe(subject);
});

test.each([
	['2001:db8:1:2::1', '2001:db8:1:2'],
	['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
	['2001:0DB8:0001:0002::', '2001:db8:1:2'],
	['2001:db8::1', '2001:db8:0:0'],
	['2001:db8::2:3:4:5:6', '2001:db8:0:2'],
	['fe80::1%eth0', 'fe80:0:0:0'],
	['::1', '0:0:0:0'],
	['::', '0:0:0:0'],
	['[2001:db8:1:2::1]:44', '2001:db8:1:2'],
	['[2001:db8:1:2::1]', '2001:db8:1:2'],
	['[::1]:65535', '0:0:0:0'],
	['::ffff:1:2', '0:0:0:0'],
])('an IPv6 address stands for its network: %s', (ip, subject) => {
	expect(limitSubjectOf(ip)).toBe(subject);
});
