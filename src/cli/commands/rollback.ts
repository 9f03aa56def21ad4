import { assertKnown } from '#db/local.ts';
import { siteFolder } from '#src/build/builds.ts';
import { keptIn } from '#src/build/kept-builds.ts';
import { openSiteDb } from '#src/build/prepare.ts';
import { assertDatabase } from '#src/cli/backup.ts';
import { recordAudit } from '#src/core/audit/audit.server.ts';
import { startBuild } from '#src/core/builds/builds.server.ts';
import { HostError } from '#src/host/server.ts';
import { localTime } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';
import { plural } from '#src/lib/text.ts';

const ACTOR = 'npm run rollback';

/** Lists the builds that are kept, puts the site back to one, or goes back to the newest content. A running server follows. */
export async function rollback(): Promise<void> {
	const [wanted] = process.argv.slice(3);
	await assertDatabase(getEnv().DATABASE_URL);
	const db = await openSiteDb();
	await assertKnown(db);
	const kept = keptIn(siteFolder(getEnv().DATABASE_URL), db);
	const { builds, isHeld } = await kept.list();
	const now = new Date();
	if (!wanted) {
		if (builds.length === 0) console.log('No build is kept yet.');
		for (const [index, { madeAt, pages, cause, isShown }] of builds.entries()) {
			const mark = isShown ? '*' : ' ';
			console.log(`${mark} ${index + 1}  ${localTime(madeAt)}  ${plural(pages, 'page')}  ${cause}`);
		}
		console.log(
			'\nnpm run rollback -- NUMBER puts the site back; -- newest goes on with the newest content.',
		);
	} else if (wanted === 'newest') {
		await kept.release();
		await startBuild(db, { actor: ACTOR, now });
		console.log(isHeld ? 'The running server builds the newest content.' : 'A build is asked for.');
	} else {
		const build = builds[Number(wanted) - 1];
		if (!build || !(await kept.rollBack(build.id))) {
			throw new HostError(`There is no build ${wanted}: npm run rollback lists them.`);
		}
		await recordAudit(
			db,
			{ actor: ACTOR, action: 'put the site back', subject: `build ${build.id}` },
			now,
		);
		console.log(
			`The site is the build of ${localTime(build.madeAt)} and stays so until npm run rollback -- newest.`,
		);
	}
	db.$client.close();
}
