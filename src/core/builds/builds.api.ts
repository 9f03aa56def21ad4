import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';

export type Health = {
	/** The process is alive and serves pages. */
	status: 'ok';
	/** Whether the database takes writes. */
	writes: boolean;
	/** The refusal of the last write, where none was stored since. */
	refused?: string;
	/** Number of migrations applied, as far as the database has told; null where it never answered. */
	schemaVersion: number | null;
	/** When the pages were last built, as far as the database has told; null where it never did. */
	builtAt: string | null;
};

/** Responds 200 while the process lives; the body describes problems. */
export const getHealth = endpoint<Health>()('GET /api/health', nothing);

/** One build of the publish timeline. */
export type BuildView = {
	id: string;
	state: 'queued' | 'building' | 'live' | 'failed';
	/** The reason for the build, as text. */
	cause: string;
	doing: string | null;
	done: number | null;
	total: number | null;
	/** Why it failed, or what a live one left as it was, in sentences. */
	reason: string | null;
	requestedAt: string;
	startedAt: string | null;
	endedAt: string | null;
};

/** The latest builds, newest first. */
export const listBuilds = endpoint<BuildView[]>()('GET /api/admin/builds', nothing);

/** The builds that the site can go back to. */
export type KeptBuilds = {
	/** Newest first. */
	builds: {
		id: string;
		madeAt: string;
		/** Changes that it was made for, as text. */
		cause: string;
		pages: number;
		isShown: boolean;
	}[];
	/** True while an earlier build is shown, until `release`. */
	isHeld: boolean;
	/** True where another host builds the site and keeps its builds. */
	isElsewhere: boolean;
};

export const listKeptBuilds = endpoint<KeptBuilds>()('GET /api/admin/rollback', nothing);

/** Puts the site back to a kept build in a moment. Nothing is built until `release`; what is saved is stored. */
export const rollBack = endpoint<KeptBuilds>()(
	'POST /api/admin/rollback',
	z.object({ id: z.string().check(z.maxLength(100)) }),
);

/** Goes back to the newest content: builds the site and lets later builds be shown again. */
export const release = endpoint<KeptBuilds>()('DELETE /api/admin/rollback', nothing);

/** Builds the site again: after a failure, or by hand. Returns the build, which may be one that waited already. */
export const startBuild = endpoint<BuildView>()('POST /api/admin/builds', nothing);
