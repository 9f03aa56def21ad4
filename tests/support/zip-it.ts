import { join } from 'node:path';
import { ensurePackage } from './programs.mjs';

type Route = { pattern: string; prefer_static?: boolean };
type Limit = {
	aggregate: { keys: { type: string }[] };
	rateLimitConfig: { windowSize: number; windowLimit: number };
};
export type Zipped = {
	name: string;
	path: string;
	routes?: Route[];
	excludedRoutes?: Route[];
	schedule?: string;
	eventSubscriptions?: string[];
	trafficRules?: { action: { config: Limit } };
};
type ZipIt = {
	listFunctions: (from: string, options: object) => Promise<{ name: string }[]>;
	zipFunctions: (from: string, to: string, options: object) => Promise<Zipped[]>;
};

/** Loads what Netlify's build bundles functions with: a seventh of all packages, for the night and a bench. */
export async function loadZipIt(): Promise<ZipIt> {
	const folder = ensurePackage('@netlify/zip-it-and-ship-it@16.2.3');
	return (await import(join(folder, 'dist/main.js'))) as ZipIt;
}
