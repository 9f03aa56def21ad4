import 'astro';

declare module 'astro' {
	interface AstroClientDirectives {
		/** Hydrates at the first sign that somebody wants the island: see client-intent.ts. */
		'client:intent'?: string;
		/** Hydrates when somebody is about to use the island: see client-use.ts. */
		'client:use'?: boolean | string;
	}
}
