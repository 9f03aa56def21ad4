import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { currentBuild, keptBuilds, openFiles, ROOT, storeOf } from '#src/build/builds.ts';
import { namesOf } from '#src/build/file-store.ts';
import { publish } from '#tests/support/publish-forever.ts';

/** Killed as often, at random moments; more by `KILLS`. */
const KILLS = Number(process.env['KILLS'] ?? 20);

/** Sees to it that the served build and all that one can go back to are there to the last byte. Returns the store's files of them. */
async function readAll(folder: string): Promise<Set<string>> {
	const used = new Set<string>();
	for (const build of [(await currentBuild(folder))!, ...(await keptBuilds(folder))]) {
		for (const part of build.parts) used.add(part);
		const { listing, locate } = await openFiles(folder, build);
		expect([...listing]).toHaveLength(30);
		for (const [path, file] of listing) {
			const name = locate(path, file);
			const bytes = await storeOf(folder).read(file);
			const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
			expect(digest).toBe(file.hash);
			const [br, gz] = await Promise.all([readFile(`${name}.br`), readFile(`${name}.gz`)]);
			expect([br.length, gz.length]).toEqual([file.br, file.gz]);
			expect(brotliDecompressSync(br).equals(bytes)).toBe(true);
			expect(gunzipSync(gz).equals(bytes)).toBe(true);
			for (const one of namesOf(file)) used.add(one);
		}
	}
	return used;
}

test('publish, rollback and collection killed at random moments leave every build whole, and the next one works', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'killed-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	for (let round = 0; round < 12; round++) await publish(folder);
	for (let kill = 0; kill < KILLS; kill++) {
		const child = spawn(process.execPath, ['tests/support/publish-forever.ts', folder], {
			cwd: ROOT,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		await once(child.stdout, 'data');
		await sleep(Math.random() * 150);
		child.kill('SIGKILL');
		await once(child, 'close');
		await readAll(folder);
		// The build that was replaced stays once more: it may be one from before the last ten.
		await publish(folder);
		const id = await publish(folder);
		expect((await currentBuild(folder))!.id).toBe(id);
		const used = await readAll(folder);
		expect(new Set(await readdir(join(folder, 'store')))).toEqual(used);
		expect(await keptBuilds(folder)).toHaveLength(10);
	}
}, 600_000);
