/** Keeps going while the database is out of reach. */
import { setTimeout as sleep } from 'node:timers/promises';
import { outageOf, withoutValues } from '#db/outage.ts';
import { MINUTE, SECOND } from '#src/lib/dates.ts';

/** Interval at which slow work checks whether the database responds at all. */
const CHECK_INTERVAL_MS = SECOND;
/** Interval at which an unreachable database is tried again. */
const RETRY_MS = 5 * SECOND;

/** When an outage of the database was last logged. */
let outageLoggedAt = -Infinity;

/** Runs work that needs the database. While the database does not respond, calls `serve` once and tries again. */
export async function retryWhileServing(
	serve: () => void,
	work: () => Promise<void>,
): Promise<void> {
	// The process in front logs failures and asks no database.
	const [{ getDb }, { getDatabaseStatus }] = await Promise.all([
		import('#db/client.ts'),
		import('#src/core/builds/health.server.ts'),
	]);
	let isAway = false;
	let isDone = false;
	const serveMeanwhile = (why: string) => {
		if (isAway || isDone) return;
		isAway = true;
		console.error(`${why} Until it is back, pages are served as they are and nothing is saved.`);
		serve();
	};
	// A hanging database would block for a minute. During a migration, which may take as long, it responds.
	const checks = setInterval(() => {
		void getDatabaseStatus(getDb()).then(({ answers }) => {
			if (!answers) serveMeanwhile('The database does not answer.');
		});
	}, CHECK_INTERVAL_MS);
	try {
		while (!isDone) {
			try {
				await work();
				isDone = true;
			} catch (error) {
				const outage = outageOf(error);
				if (!outage) throw error;
				serveMeanwhile(outage);
				await sleep(RETRY_MS);
			}
		}
	} finally {
		clearInterval(checks);
	}
}

/** Logs an error; an outage of the database, which recurs every second, once a minute. */
export function logFailure(error: unknown): void {
	const outage = outageOf(error);
	if (outage && performance.now() < outageLoggedAt + MINUTE) return;
	if (outage) outageLoggedAt = performance.now();
	console.error(outage ?? withoutValues(error));
}
