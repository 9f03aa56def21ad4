/** One of the DNS records by which mail servers decide whether an email is ours. */
export type MailRecord = {
	kind: 'SPF' | 'DKIM' | 'DMARC';
	/** The name whose TXT records were looked up, if one is known. */
	name: string | null;
	state: 'good' | 'wrong' | 'missing' | 'unknown';
	/** The record as it is. */
	found: string | null;
	/** One or two sentences on what to do about it. */
	advice: string;
	/** The record to write into DNS. */
	write: string | null;
};

export type MailRecords = { domain: string; records: MailRecord[] };
