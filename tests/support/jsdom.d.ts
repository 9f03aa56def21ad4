/** What the tests use of it. */
declare module 'jsdom' {
	export class JSDOM {
		constructor(
			html: string,
			options?: { runScripts?: 'dangerously'; url?: string; contentType?: string },
		);
		readonly window: Window & typeof globalThis;
	}
}
