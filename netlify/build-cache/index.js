/** Keeps what a build of Netlify made for the next one: rendered pages, drawn pictures, downloads. */

/** Of `npm run build`, relative to the repository. Netlify refuses a plugin that exports anything but its events. */
const PATHS = ['.site', 'downloads'];

/** Nothing that a build could not make anew: without it, it only takes longer. */
export async function onPreBuild({ utils }) {
	await attempt('restored', () => utils.cache.restore(PATHS));
}

/** Only after a build that succeeded. */
export async function onPostBuild({ utils }) {
	await attempt('kept', () => utils.cache.save(PATHS));
}

async function attempt(done, work) {
	try {
		console.log((await work()) ? `The build cache is ${done}.` : `No build cache was ${done}.`);
	} catch (error) {
		console.warn(`The build cache could not be ${done}: ${error.message}`);
	}
}
