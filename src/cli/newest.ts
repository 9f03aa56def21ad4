import {
	buildDir,
	currentBuild,
	currentVersion,
	openFiles,
	type Build,
} from '#src/build/builds.ts';
import { Site } from '#src/host/static-site.ts';

/** Returns the function that serves the newest build of a folder if it is another one, whichever process made it. */
export function onNewest(
	folder: string,
	serve: (build: Build, isFirst: boolean) => Promise<void>,
): () => Promise<void> {
	let version: string | undefined;
	const look = async () => {
		const current = await currentVersion(folder);
		const build = current === version ? undefined : await currentBuild(folder);
		if (!build) return;
		await serve(build, version === undefined);
		version = current;
	};
	let last: Promise<void> = Promise.resolve();
	// One after the other: of two at once, the slower one would bring an older build back.
	return () => (last = last.catch(() => {}).then(look));
}

/** Opens a build; what it shares with one that is open already is taken from there. */
export async function openBuild(
	folder: string,
	build: Build,
	last: Site | undefined,
	...listeners: [onDamaged: (file: string) => void, onHit?: (rule: string) => void]
): Promise<Site> {
	const files = await openFiles(folder, build, last?.listing);
	return Site.open(files, buildDir(folder, build.id), ...listeners);
}
