/**
 * Finds the modules of drizzle-orm, for `node --import`. Node itself parses a package's whole package.json for each of its
 * modules and each import of it, and this one has 180 KB: half of the time in which the server loads.
 */
import * as nodeModule from 'node:module';

const found = new Map();

// Other Nodes that processes of ours start may be too old for it.
nodeModule.registerHooks?.({
	resolve(specifier, context, next) {
		const { parentURL = '', conditions } = context;
		if (parentURL.includes('/node_modules/drizzle-orm/') && /^\..*\.js$/.test(specifier)) {
			return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
		}
		if (!/^drizzle-orm(\/|$)/.test(specifier) || !conditions.includes('import')) {
			return next(specifier, context);
		}
		const known = found.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
		found.set(specifier, known);
		return known;
	},
});
