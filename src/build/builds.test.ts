import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
	activateBuild,
	buildDir,
	currentBuild,
	currentVersion,
	keptBuilds,
	renewFile,
	storeOf,
	UNFINISHED_FINGERPRINT,
} from './builds.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'builds-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a damaged file goes, and the next build is due, which makes it again; nothing else is lost', async () => {
	const add = await storeOf(folder).open();
	const text = '<p>The same words again and again.</p>'.repeat(100);
	const file = await add('/a.html', Buffer.from(text));
	const path = storeOf(folder).path(file);
	const build = {
		id: 'one',
		madeAt: 1,
		cause: 'a test',
		fingerprint: 'f',
		pageCount: 1,
		parts: [],
	};
	await mkdir(buildDir(folder, 'one'), { recursive: true });
	await activateBuild(folder, build);
	const version = await currentVersion(folder);
	await writeFile(`${path}.br`, 'damaged');
	await renewFile(folder, `${path}.br`);
	await renewFile(folder, `${path}.br`);
	await expect(stat(`${path}.br`)).rejects.toThrow('ENOENT');
	expect(String(await storeOf(folder).read(file))).toBe(text);
	expect(await currentBuild(folder)).toEqual({ ...build, fingerprint: UNFINISHED_FINGERPRINT });
	expect(await keptBuilds(folder)).toHaveLength(1);
	expect(await currentVersion(folder)).not.toBe(version);
	const isThere = await storeOf(folder).contents();
	expect(isThere(file)).toBe(false);
	// As the next build does.
	expect(await (await storeOf(folder).open())('/a.html', Buffer.from(text))).toEqual(file);
	expect((await storeOf(folder).contents())(file)).toBe(true);
});
