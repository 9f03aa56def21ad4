import 'astro';

declare module 'astro' {
	interface AstroClientDirectives {
		/** Hydrates at the first sign that somebody wants the island: see client-intent.ts. */
		'client:intent'?: string;
	}
}
