declare module '@adobe/structured-data-validator' {
	/** Search engines' rules for what schema.org's types must hold. */
	export default class Validator {
		/** Schema.org's vocabulary, to check names as well; null leaves them unchecked. */
		constructor(vocabulary: object | null);
		validate(data: {
			jsonld: Record<string, object[]>;
			microdata: object;
			rdfa: object;
		}): Promise<{ severity: 'ERROR' | 'WARNING'; issueMessage: string }[]>;
	}
}
