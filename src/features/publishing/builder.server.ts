/** What builds the site in this process: the one-machine server. */
export type Builder = {
	/** Builds the database as it is now. */
	build(): void;
	/** Somebody is at work on the site: the next build shall be quick. */
	warmUp(): void;
};

let builder: Builder | undefined;

export function setBuilder(found: Builder | undefined): void {
	builder = found;
}

/** Undefined where a build hook builds the site. */
export function getBuilder(): Builder | undefined {
	return builder;
}
