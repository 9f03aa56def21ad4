import { getEnv } from '#src/lib/env.ts';
import type { structureLogs } from './log.server.ts';

/**
 * Starts what a process that runs for long logs to a file descriptor: as JSON where the environment asks for it, and then
 * the function that logs a request is returned. The process goes on where nothing can be written, as on a full disk or where
 * nobody reads it any more.
 */
export async function startLog(fd: 1 | 2): Promise<ReturnType<typeof structureLogs> | undefined> {
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
	if (getEnv().LOG_FORMAT !== 'json') return undefined;
	// Loaded only if needed, so that every other start is fast.
	return (await import('./log.server.ts')).structureLogs(fd);
}
