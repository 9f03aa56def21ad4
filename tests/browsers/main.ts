/**
 * Fills in the forms of a site in each browser and after each foreign change, and prints what was lost: of a new site by
 * `npm run test:browsers`, of one that runs by `npm run test:browsers -- http://127.0.0.1:8888 [browsers] [forms]`. A
 * browser that is not installed fails the run.
 */
import { CHANGES, fillIn, FORMS, lossesOf } from '#tests/support/changed-pages.ts';
import { inBrowsers, openSite } from './drivers.ts';

const [given, browsers, forms] = process.argv.slice(2);
const { site, close } = await openSite(given);
let faults = 0;
const failures = await inBrowsers(
	browsers,
	() => Promise.resolve(site),
	async (driver, version) => {
		let characters = 0;
		let trials = 0;
		for (const form of forms?.split(',') ?? Object.keys(FORMS)) {
			for (const way of ['typed', 'autofilled'] as const) {
				for (const changed of [null, ...Object.keys(CHANGES)]) {
					const asked = FORMS[form]!;
					const outcome = await fillIn(driver, asked, changed, way);
					const losses = lossesOf(asked, outcome);
					if (!outcome.asleep) losses.push('the island was awake before the change');
					if (way === 'typed' && outcome.focused !== Object.keys(asked.fields).at(-1))
						losses.push(`the focus was on ${outcome.focused}`);
					for (const loss of losses)
						console.log(`${version}: ${form}, ${way}, ${changed}: ${loss}`);
					faults += losses.length;
					characters += Object.values(asked.fields).join('').length;
					trials++;
				}
			}
			console.log(`${version}: ${form} done, ${faults} faults so far`);
		}
		console.log(`${version}: ${trials} trials, ${characters} characters`);
	},
);
faults += failures;
await close();
console.log(`${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;
