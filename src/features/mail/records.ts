/** The line of the server's environment that has emails leave, with a provider's values to be put in. */
export const SMTP_LINE = 'SMTP_URL=smtps://USER:PASSWORD@smtp.your-provider.example:465';

/** The server that takes emails, or one of the DNS records by which other servers judge them. */
export type MailRecord = {
	kind: 'SMTP' | 'SPF' | 'DKIM' | 'DMARC';
	/** The name whose TXT records were looked up, if one is known. */
	name: string | null;
	state: 'good' | 'wrong' | 'missing' | 'unknown';
	/** The record as it is. */
	found: string | null;
	/** One or two sentences on what to do about it. */
	advice: string;
	/** The line to write into DNS, or into the environment of the server. */
	write: string | null;
};

export type MailRecords = { domain: string; records: MailRecord[] };
