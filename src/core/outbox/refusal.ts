/**
 * Meaning of a permanent refusal for the recipient's address: it is gone; it may be, and a second refusal decides; or the
 * refusal has another reason, such as a full mailbox or a blocklist.
 */
export type AddressVerdict = 'gone' | 'unsure' | 'other';

/** A permanent enhanced status code (RFC 3463) anywhere in a response, but no part of an IP address. */
const ENHANCED_STATUS = /(?<![\d.])5\.(\d{1,3}\.\d{1,3})(?!\.?\d)/;

/** No such mailbox, no such domain, the mailbox has moved away, the domain takes no mail (RFC 7505). */
const GONE = ['1.1', '1.2', '1.6', '1.10'];
/** About the sender's address, although in the class of addresses. */
const SENDERS = ['1.7', '1.8'];
/** The mailbox is disabled, which may be for now. */
const DISABLED = '2.1';

/** Words by which servers refuse the sender, some of them with the code of an unknown mailbox. */
const SENDER_WORDS =
	/block|black[ -]?list|deny ?list|denied|\bd?nsbl\b|\brbl\b|spam|abus|reputation|polic|prohibit|banned|sender|relay|client host|authenticat|\b(spf|dkim|dmarc)\b/i;
const ADDRESSES = /[^\s@<>(),:;]+@[\w.-]+/g;

/** Returns what the text of a permanent refusal says about the recipient's address, or null if it says nothing. */
export function addressVerdict(text: string): AddressVerdict | null {
	const status = ENHANCED_STATUS.exec(text)?.[1];
	// A name may hold such a word.
	if (SENDER_WORDS.test(text.replace(ADDRESSES, ''))) return 'other';
	if (!status) return null;
	if (GONE.includes(status)) return 'gone';
	const isUnsure = status === DISABLED || (status.startsWith('1.') && !SENDERS.includes(status));
	return isUnsure ? 'unsure' : 'other';
}
