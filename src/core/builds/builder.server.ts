import type { KeptBuilds } from './builds.api.ts';

/** The site builder in this process, which only the one-machine server has. */
export type Builder = {
	/** Builds the site from the current database. */
	build(): void;
	/** Prepares the next build, because somebody is working on the site. */
	prewarm(): void;
	/** Earlier builds, where they are kept. */
	kept?: {
		list(): Promise<KeptBuilds>;
		/** Puts the site back to a kept build. Returns whether there is such a build. */
		rollBack(id: string): Promise<boolean>;
		/** Lets the next build be shown again. */
		release(): Promise<void>;
	};
};

let builder: Builder | undefined;

/** Makes this process build the site itself. */
export function setBuilder(made: Builder | undefined): void {
	builder = made;
}

/** Returns the builder of this process, or undefined if a build hook builds the site. */
export function getBuilder(): Builder | undefined {
	return builder;
}
