import { expect, test } from 'vitest';
import { addressVerdict } from './refusal.ts';

test.each([
	[
		'gone',
		[
			'550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the address.\n550 5.1.1  https://support.google.com/mail/?p=NoSuchUser a1-2.3 - gsmtp',
			'550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
			'550 5.1.1 <no-spam@blocked.example>: User unknown',
			'550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
			'556 5.1.10 Recipient address has null MX',
			'550 5.1.2 Bad destination system address',
			'550 5.1.6 Mailbox has moved',
		],
	],
	[
		'unsure',
		['550 5.1.0 Address rejected', '554 5.2.1 The mailbox is disabled', '553 5.1.3 Syntax'],
	],
	[
		'other',
		[
			'552 5.2.2 The mailbox is full',
			'550 5.7.1 Message refused',
			'550 5.7.26 This mail is unauthenticated',
			'550 5.1.8 Domain not found',
			'550 5.4.1 Recipient address rejected: Access denied',
			// Codes of an unknown mailbox in answers about the sender.
			'550 5.1.1 Service unavailable; client host [192.0.2.7] blocked using zen.spamhaus.org',
			'550 5.1.1 Your reputation is too low to deliver here',
			'550 Blocked - see https://example.com/rbl',
			'550 permanent failure for one or more recipients (ada@example.com:blocked)',
			'550-Verification failed for <weekly@example.org>\n550 Sender verify failed',
			'550 Administrative prohibition',
			'550 relay not permitted',
		],
	],
	[null, ['550 No such user here', '550 Unrouteable address on 5.1.1.9', '']],
] as const)('%s is what it says of the address', (verdict, texts) => {
	expect(texts.map((text) => [text, addressVerdict(text)])).toEqual(
		texts.map((text) => [text, verdict]),
	);
});
