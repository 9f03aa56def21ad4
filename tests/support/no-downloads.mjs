/**
 * Lets this process and those that have these options make no downloads: to set a book of all articles takes half a minute of a
 * processor at each first start of a site, and no browser test opens it.
 */
import { registerHooks } from 'node:module';

const MAKER = '/src/features/downloads/make.server.ts';
const source = 'export const makeDownloads = () => [];\nexport const sourcesDigest = () => "";\n';

registerHooks({
	load: (url, context, next) =>
		url.endsWith(MAKER) ? { format: 'module', source, shortCircuit: true } : next(url, context),
});

/** Options for Node. */
export const NODE_OPTIONS = [process.env['NODE_OPTIONS'], `--import=${import.meta.url}`]
	.filter(Boolean)
	.join(' ');
