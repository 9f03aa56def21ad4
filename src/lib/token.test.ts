import { expect, test } from 'vitest';
import { seal, unseal } from './token.ts';

const SECRET = 'a secret that only the tests know';
const token = seal(SECRET, 'leave', 'ada@example.com');

test('what was sealed is found again, and is the same text each time', () => {
	expect(unseal(SECRET, 'leave', token)).toBe('ada@example.com');
	expect(seal(SECRET, 'leave', 'ada@example.com')).toBe(token);
	expect(unseal(SECRET, 'leave', seal(SECRET, 'leave', 'Ünïcode'))).toBe('Ünïcode');
});

test('it fits into an address and does not show what it holds', () => {
	expect(token).toMatch(/^[\w-]+$/);
	expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('ada');
});

test('another secret, purpose or value gives nothing', () => {
	expect(unseal(`${SECRET}!`, 'leave', token)).toBeNull();
	expect(unseal(SECRET, 'download', token)).toBeNull();
	expect(seal(SECRET, 'leave', 'bob@example.com')).not.toBe(token);
});

test('a changed, cut or made-up text gives nothing', () => {
	const bytes = Buffer.from(token, 'base64url');
	for (let index = 0; index < bytes.length; index++) {
		const changed = Buffer.from(bytes);
		changed[index]! ^= 1;
		expect(unseal(SECRET, 'leave', changed.toString('base64url'))).toBeNull();
	}
	for (const text of ['', 'x', token.slice(0, -4), `${token}AAAA`, 'ä'.repeat(50)]) {
		expect(unseal(SECRET, 'leave', text)).toBeNull();
	}
});
