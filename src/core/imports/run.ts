import * as z from 'zod/mini';

/** One file's way in: all its parts are one entry of the log, and can be undone together. */
export const importRun = z.object({
	id: z.uuid(),
	/** Name of the file. */
	name: z.string().check(z.maxLength(500)),
	kind: z.string().check(z.minLength(1), z.maxLength(50)),
});
export type ImportRun = z.infer<typeof importRun>;

/** The actions in the audit log for an import. */
export const IMPORTED = { file: 'imported a file', subscribers: 'imported subscribers' } as const;
const SUBJECT = 'import ';
export const importSubject = (id: string) => SUBJECT + id;

/** The id of the import that an entry of the log is about, or undefined. */
export function importOf(entry: { action: string; subject: string }): string | undefined {
	const isImport = Object.values<string>(IMPORTED).includes(entry.action);
	return isImport && entry.subject.startsWith(SUBJECT)
		? entry.subject.slice(SUBJECT.length)
		: undefined;
}
