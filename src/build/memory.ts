import { WriteCursor } from '#src/core/builds/writes.server.ts';
import { SiteMemory } from '#src/features/site/load.server.ts';
import { FigureList } from './figures.server.ts';
import type { Page } from './astro-internals.ts';
import type { Listing } from './listing.ts';
import type { KeptFile } from './site-files.ts';
import { Sitemap, type SitemapFiles } from './sitemap.ts';

/** Knowledge that a process keeps from one build to the next. A build with none makes the same, and reads everything. */
export class BuildMemory {
	readonly site = new SiteMemory();
	/** Up to where posts were checked and rendered. */
	readonly rendered = new WriteCursor();
	/** True where what texts mean was kept after they were rendered last. */
	isMeant = false;
	readonly figures = new FigureList();
	readonly sitemap = new Sitemap();
	/** Files of featured images and figures of the last build, by path. */
	pictures: ReadonlyMap<string, KeptFile> = new Map();
	/** Names of the social pictures that the last build left to later ones. */
	readonly leftPictures = new Set<string>();
	/** The last build. */
	last: Contents | undefined;
}

/** All that a build consists of. What did not change is the same object in the next one. */
export type Contents = {
	listing: Listing;
	pages: readonly Page[];
	kept: readonly KeptFile[];
	sitemap: SitemapFiles;
	/** Paths of the files that are written anew each time. */
	others: readonly string[];
};
