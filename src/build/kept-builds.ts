/** Earlier builds of one machine, as the desk and the command line see them. */
import type { Db } from '#db/client.ts';
import type { Builder } from '#src/core/builds/builder.server.ts';
import type { KeptBuilds } from '#src/core/builds/builds.api.ts';
import { erasedAt } from '#src/core/builds/builds.server.ts';
import { currentBuild, isHeld, keptBuilds, release, rollBack } from './builds.ts';

/** Returns what the desk and the command ask for; `serveCurrent` switches the server of this process, if it is one. */
export function keptIn(
	folder: string,
	db: Db,
	serveCurrent = async () => {},
): NonNullable<Builder['kept']> {
	return {
		list: () => listKept(folder, db),
		async rollBack(id) {
			const build = await rollBack(folder, id, await erasedAt(db));
			if (build) await serveCurrent();
			return build !== undefined;
		},
		release: () => release(folder),
	};
}

async function listKept(folder: string, db: Db): Promise<KeptBuilds> {
	const [kept, current] = await Promise.all([
		keptBuilds(folder, await erasedAt(db)),
		currentBuild(folder),
	]);
	return {
		builds: kept.map(({ id, madeAt, cause, pageCount }) => ({
			id,
			madeAt: new Date(madeAt).toISOString(),
			cause,
			pages: pageCount,
			isShown: id === current?.id,
		})),
		isHeld: await isHeld(folder),
		isElsewhere: false,
	};
}
