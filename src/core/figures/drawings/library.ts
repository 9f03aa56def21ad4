/** How drawings stand in the library. */

/** Maximum size of a drawing's file in bytes, and so in characters. */
export const MAX_DRAWING_BYTES = 2_000_000;
/** How the id of a drawing in the library begins, so that rendering need not look up what a picture is. */
export const DRAWING_PREFIX = 'drawing-';
const ADDRESS = `/api/media/(${DRAWING_PREFIX}[\\w-]+)`;

/** Returns the id of the drawing that is served at a path, or undefined. */
export const drawingId = (path: string) => new RegExp(`^${ADDRESS}$`).exec(path)?.[1];

/** Returns the ids of the drawings whose addresses stand in a text. */
export const drawingIdsIn = (text: string) =>
	Array.from(text.matchAll(new RegExp(ADDRESS, 'g')), ([, id]) => id!);
