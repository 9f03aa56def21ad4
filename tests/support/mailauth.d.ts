declare module 'mailauth/lib/dkim/verify.js' {
	type Status = { result: string; aligned?: string | false };
	type Resolver = (name: string, type: string) => Promise<string[][]>;
	/** Verifies the DKIM signatures of an email as mail servers do. */
	export function dkimVerify(
		email: string,
		options: { resolver: Resolver },
	): Promise<{ results: { status: Status; signingDomain?: string }[] }>;
}
