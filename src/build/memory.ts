import { WriteCursor } from '#src/core/builds/writes.server.ts';
import { SiteMemory } from '#src/features/site/load.server.ts';
import { FigureList } from './figures.server.ts';
import type { Listing } from './listing.ts';

/** Knowledge that a process keeps from one build to the next. A build with none makes the same, and reads everything. */
export class BuildMemory {
	readonly site = new SiteMemory();
	/** Up to where posts were checked and rendered. */
	readonly rendered = new WriteCursor();
	readonly figures = new FigureList();
	/** Names of the pictures that the last build left to later ones. */
	readonly leftPictures = new Set<string>();
	/** Files of the last build. */
	listing: Listing | undefined;
}
