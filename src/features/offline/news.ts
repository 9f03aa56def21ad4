/** Name of the channel on which the service worker tells all tabs what became of a page that was to be kept. */
export const NEWS = 'offline';

export type News = { path: string; isKept: boolean };
