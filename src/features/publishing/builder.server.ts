let builder: (() => void) | undefined;

/** Makes this process build the site itself: what the one-machine server says of itself. */
export function setBuilder(build: (() => void) | undefined): void {
	builder = build;
}

/** Asks this process to build the site; undefined where a build hook does that. */
export function getBuilder(): (() => void) | undefined {
	return builder;
}
