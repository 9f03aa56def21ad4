import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives `work` a folder of its own, and removes it afterwards. */
export async function withFolder<Out>(work: (folder: string) => Promise<Out>): Promise<Out> {
	const folder = await mkdtemp(join(tmpdir(), 'groundtruth-bench-'));
	try {
		return await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
