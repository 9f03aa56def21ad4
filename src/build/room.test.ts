import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { availableMemory, forkBeside, peakMemory, resetPeak, wantOfMemory } from './room.ts';

const MB = 2 ** 20;
const machine = 8000 * MB;

/** Writes files of a system, and returns where they are. */
function system(files: Record<string, string>) {
	const root = mkdtempSync(join(tmpdir(), 'room-'));
	onTestFinished(() => rmSync(root, { recursive: true }));
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, name)), { recursive: true });
		writeFileSync(join(root, name), text);
	}
	return { groups: root, membership: join(root, 'membership'), machine };
}

test.for<[name: string, files: Record<string, string>, left: number]>([
	['no groups', {}, 8000],
	[
		'version 2, with files that can be given back',
		{
			membership: '0::/system.slice/groundtruth.service\n',
			'system.slice/groundtruth.service/memory.max': `${1024 * MB}\n`,
			'system.slice/groundtruth.service/memory.current': `${1000 * MB}\n`,
			'system.slice/groundtruth.service/memory.stat': `anon 5\ninactive_file ${500 * MB}\nactive_file ${200 * MB}\n`,
		},
		724,
	],
	[
		'version 2, where a group above is tighter',
		{
			membership: '0::/a/b\n',
			'a/memory.max': `${600 * MB}\n`,
			'a/memory.current': `${100 * MB}\n`,
			'a/b/memory.max': 'max\n',
			'a/b/memory.current': `${90 * MB}\n`,
		},
		500,
	],
	[
		'version 1 in a container, whose path is the one outside',
		{
			membership: '5:cpu:/\n4:memory:/docker/0123\n0::/docker/0123\n',
			'memory/memory.limit_in_bytes': `${1024 * MB}\n`,
			'memory/memory.usage_in_bytes': `${900 * MB}\n`,
			'memory/memory.stat': `inactive_file 1\nactive_file 1\ntotal_inactive_file ${300 * MB}\ntotal_active_file ${100 * MB}\n`,
		},
		524,
	],
	[
		'version 1 without a limit',
		{
			membership: '4:memory:/\n',
			'memory/memory.limit_in_bytes': '9223372036854771712\n',
			'memory/memory.usage_in_bytes': `${900 * MB}\n`,
		},
		8000,
	],
	[
		'more used than the limit allows',
		{
			membership: '0::/\n',
			'memory.max': `${500 * MB}\n`,
			'memory.current': `${510 * MB}\n`,
		},
		0,
	],
])('memory that is left: %s', ([, files, left]) => {
	expect(availableMemory(system(files)) / MB).toBeCloseTo(left, 0);
});

test('what was killed, or gave up, is said to have run out of memory, and nothing else is', async () => {
	const child = forkBeside(new URL('room.ts', import.meta.url), {
		execArgv: ['--import', 'data:text/javascript,setInterval(() => {}, 1000)'],
	});
	await once(child, 'spawn');
	child.kill('SIGKILL');
	const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
	expect(wantOfMemory('The build', code, signal)).toMatch(
		/^The build was ended because memory ran out \(SIGKILL; \d+ MB are free now\): give/,
	);
	expect(wantOfMemory('The build', 134, null)).toMatch(/memory/);
	expect(wantOfMemory('The build', null, 'SIGTERM')).toBeUndefined();
	expect(wantOfMemory('The build', 1, null)).toBeUndefined();
});

test('the most memory that was held is known, and measured anew where the system can', () => {
	const before = peakMemory();
	const held = Buffer.alloc(before, 1);
	expect(peakMemory()).toBeGreaterThan(before + held.length / 2);
	resetPeak();
	expect(peakMemory()).toBeGreaterThan(held.length);
});
