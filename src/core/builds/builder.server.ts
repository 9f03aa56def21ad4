/** What builds the site in this process: the one-machine server. */
export type Builder = {
	/** Builds the site as the database has it now. */
	build(): void;
	/** Somebody is at work on the site: the next build shall begin at once. */
	prewarm(): void;
};

let builder: Builder | undefined;

/** Makes this process build the site itself. */
export function setBuilder(made: Builder | undefined): void {
	builder = made;
}

/** Undefined where a build hook builds the site. */
export function getBuilder(): Builder | undefined {
	return builder;
}
