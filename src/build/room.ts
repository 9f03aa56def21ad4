/** How much memory is left, and processes that make do with little where that is not much. */
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import { BuildError } from './builds.ts';

const MB = 2 ** 20;
/** With less than this, one process at a time does what takes memory, and each is sparing. A first start would take it all. */
const PLENTY = 2_500 * MB;

/** Where Linux says what a process may use; another folder in tests. */
type Places = { groups?: string; membership?: string; machine?: number };

/** Files of a control group, in the two versions that there are. */
const V1 = { below: 'memory', limit: 'memory.limit_in_bytes', used: 'memory.usage_in_bytes' };
const V2 = { below: '', limit: 'memory.max', used: 'memory.current' };

/**
 * Returns how many bytes this process and its children may still take: what the machine has left, or any control group above
 * them. Files that the system only keeps in memory count as left.
 */
export function availableMemory({
	groups = '/sys/fs/cgroup',
	membership = '/proc/self/cgroup',
	// Elsewhere, what is free leaves out what the system gives back at once.
	machine = process.platform === 'linux' ? freemem() : totalmem(),
}: Places = {}): number {
	let available = machine;
	for (const line of (read(membership) ?? '').split('\n')) {
		const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
		if (path === undefined || (controllers !== '' && controllers !== 'memory')) continue;
		const version = controllers === '' ? V2 : V1;
		const parts = path.split('/').filter(Boolean);
		// In a container the path may be one of the machine outside: then only the root is here.
		for (let depth = parts.length; depth >= 0; depth--) {
			const folder = join(groups, version.below, ...parts.slice(0, depth));
			const limit = Number(read(join(folder, version.limit)));
			if (!(limit < totalmem())) continue;
			const used = Number(read(join(folder, version.used))) - cachedIn(folder);
			available = Math.min(available, limit - used);
		}
	}
	return Math.max(available, 0);
}

function read(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return undefined;
	}
}

/** Returns the bytes of files that a group keeps in memory, which it gives back when somebody needs the room. */
function cachedIn(folder: string): number {
	const stat = read(join(folder, 'memory.stat')) ?? '';
	// Version 1 counts the groups below under another name.
	const sums = stat.matchAll(/^(total_)?(?:in)?active_file (\d+)$/gm).toArray();
	const own = sums.some(([, total]) => total) ? sums.filter(([, total]) => total) : sums;
	return own.reduce((sum, [, , bytes]) => sum + Number(bytes), 0);
}

/** Begins to measure anew how much memory this process takes, where the system can. */
export function resetPeak(): void {
	try {
		writeFileSync('/proc/self/clear_refs', '5');
	} catch {
		// Then it is the most since the process began.
	}
}

/** Returns the most bytes of memory that this process has held since then. */
export function peakMemory(): number {
	const [, highest] = /^VmHWM:\s+(\d+) kB$/m.exec(read('/proc/self/status') ?? '') ?? [];
	return Number(highest ?? process.resourceUsage().maxRSS) * 1024;
}

/** Returns whether bundling, building and making downloads must not happen at once. */
export function isMemoryShort(): boolean {
	return availableMemory() < PLENTY;
}

/** Returns whether so many megabytes are left. */
export function isRoomFor(megabytes: number): boolean {
	return availableMemory() >= megabytes * MB;
}

/** Part of what is left that a sparing process may fill with objects. Packages in other languages need as much again. */
const HEAP_SHARE = 0.4;
const SMALLEST_HEAP_MB = 256;
/** Has both allocators that the packages use give back at once what was freed, instead of keeping some for each thread. */
const SPARING = {
	MALLOC_ARENA_MAX: '1',
	MALLOC_TRIM_THRESHOLD_: '131072',
	MIMALLOC_PURGE_DELAY: '0',
};

/** Makes a process beside the server. Where memory is short it is sparing; where it runs out, the system ends it first. */
export function forkBeside(file: string | URL, options: ForkOptions = {}): ChildProcess {
	const available = availableMemory();
	const heap = Math.max(SMALLEST_HEAP_MB, Math.floor((available * HEAP_SHARE) / MB));
	const { execArgv = [] } = options;
	const child = fork(
		file,
		available < PLENTY
			? {
					...options,
					execArgv: [...execArgv, `--max-old-space-size=${heap}`, '--max-semi-space-size=2'],
					env: { ...SPARING, ...process.env },
				}
			: options,
	);
	try {
		writeFileSync(`/proc/${child.pid}/oom_score_adj`, '500');
	} catch {
		// Other systems choose by themselves.
	}
	return child;
}

let endings = 0;

/** Counts a process that ended for want of memory, where another one was told of it. */
export const countMemoryEnd = () => void endings++;

/** Returns how many processes beside this one have ended for want of memory. */
export const memoryEnds = () => endings;

/** Returns the sentence for a process that ended for want of memory, and counts it; undefined if it ended otherwise. */
export function wantOfMemory(
	what: string,
	code: number | null,
	signal: NodeJS.Signals | null,
): string | undefined {
	// The system kills; Node gives up.
	if (signal !== 'SIGKILL' && signal !== 'SIGABRT' && code !== 134 && code !== 137)
		return undefined;
	countMemoryEnd();
	const left = Math.round(availableMemory() / MB);
	return `${what} was ended because memory ran out (${signal ?? code}; ${left} MB are free now): give the machine more, or swap space.`;
}

/** A build that memory did not suffice for. */
export class MemoryError extends BuildError {
	override name = 'MemoryError';
}
