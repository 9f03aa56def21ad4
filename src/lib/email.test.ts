import { expect, test } from 'vitest';
import { email } from './email.ts';

const of = (length: number) => `ada@${'example-'.repeat(40)}`.slice(0, length - 4) + '.com';

test.each([
	['ada@example.com', 'ada@example.com'],
	['  Ada.Lovelace+news@Mail.Example.CO.UK ', 'ada.lovelace+news@mail.example.co.uk'],
	[of(254), of(254)],
	[`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
	['user@xn--e1afmkfd.xn--p1ai', 'user@xn--e1afmkfd.xn--p1ai'],
	['User@Пример.РФ', 'user@xn--e1afmkfd.xn--p1ai'],
	['me@例え.テスト', 'me@xn--r8jz45g.xn--zckzah'],
	['me@例え。テスト', 'me@xn--r8jz45g.xn--zckzah'],
	['info@bücher.example', 'info@xn--bcher-kva.example'],
	['info@bu\u0308cher.example', 'info@xn--bcher-kva.example'],
	['ada@faß.example', 'ada@xn--fa-hia.example'],
	["!#$%&'*+/=?^_`{|}~-.a..b.@example.com", "!#$%&'*+/=?^_`{|}~-.a..b.@example.com"],
	['\u200Bada@exam\u00ADple.com\uFEFF\u00A0', 'ada@example.com'],
])('%j is the address %s', (typed, address) => {
	expect(email().safeParse(typed)).toEqual({ success: true, data: address });
});

test.each([
	'ada',
	'ada@',
	'@example.com',
	'ada@example',
	'a da@example.com',
	'ada@example.com\nx',
	'a@b@example.com',
	'ädä@example.com',
	'ada@bücher',
	'ada@bü cher.example',
	'ada@bücher.example/x',
	'ada@bücher.example:80',
	'ada@-bücher..example',
	'ada@example-.com',
	of(255),
	`${'a'.repeat(65)}@example.com`,
])('%j is no address', (typed) => {
	const { error } = email().safeParse(typed);
	expect(error?.issues[0]?.message).toBe('Please enter a valid email address');
});

test.each(['', '  ', undefined, null, 1, {}])(
	'%j is missing, in the words of its form',
	(typed) => {
		expect(email('Say it').safeParse(typed).error?.issues[0]?.message).toBe('Say it');
	},
);
