import { sql } from 'drizzle-orm';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import type { Db } from '#db/client.ts';
import { outbox } from '#db/schema.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { readerLinks, type Writer } from '#src/core/outbox/mail.server.ts';
import { HOUR } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { seal, unseal } from '#src/lib/token.ts';
import {
	downloadEmail,
	LINK_MS,
	manifestSchema,
	REQUESTED,
	UPGRADES,
	type Manifest,
	type Upgrade,
	type UpgradeAnswer,
	type UpgradeInput,
} from './download.ts';

/** Queues the email with the link. */
export async function requestUpgrade(
	db: Db,
	input: UpgradeInput,
	now: Date,
): Promise<UpgradeAnswer> {
	await sendingUpgrade(db, input, now);
	return { success: true, message: REQUESTED };
}

/**
 * Returns the statement that queues the email with the link. The same download is mailed once an hour to an address, and not again while it waits;
 * another one an hour after the last, so that nobody can fill a stranger's mailbox, and nothing that was asked for is lost.
 */
export function sendingUpgrade(
	db: Db,
	{ email, upgradeType, postId = '', consent }: UpgradeInput & { consent?: string },
	now: Date,
) {
	const at = now.getTime();
	const name = `${email} ${upgradeType} `;
	const key = (time: number) => name + new Date(time).toISOString();
	const recent = sql`from ${outbox} where kind = 'download' and recipient = ${email}
		and created_at > ${at - UPGRADES.length * HOUR}`;
	const download = {
		kind: 'download',
		key: key(at),
		recipient: email,
		payload: { upgradeType, postId, ...(consent && { consent }) },
		dueAt: sql`max(${at}, coalesce((select max(coalesce(due_at, delivered_at, created_at)) ${recent}), 0) + ${HOUR})`,
		where: sql`not exists (select 1 from ${outbox} where kind = 'download'
			and key > ${name} and key <= ${key(at)} and (key > ${key(at - HOUR)} or due_at is not null))`,
	} as const;
	return enqueue(db, download, now);
}

/** Writes the email with the link, which works from now on for a week. */
export function downloadWriter(): Writer {
	const env = { ...getEnv(), SECRET: getSecret() };
	return async ({ recipient, payload }, now) => {
		const { upgradeType } = payload as { upgradeType: Upgrade };
		const token = downloadToken(env.SECRET, upgradeType, new Date(now.getTime() + LINK_MS));
		const href = `${env.SITE_URL}/api/downloads/${token}`;
		return downloadEmail(upgradeType, href, readerLinks(env, 'weekly', recipient!));
	};
}

function downloadToken(secret: string, upgrade: Upgrade, until: Date): string {
	return seal(secret, 'download', `${upgrade} ${until.getTime()}`);
}

/** Reads a link's token: a download, one whose time has run out, or nothing of ours. */
export function readDownloadToken(secret: string, token: string, now: Date) {
	const [kind, until] = unseal(secret, 'download', token)?.split(' ') ?? [];
	const upgrade = UPGRADES.find((one) => one === kind);
	return upgrade ? { upgrade, isExpired: Number(until) <= now.getTime() } : null;
}

/** Returns the folder of the files: beside an embedded database, or among the function's own files. The build writes it. */
export function downloadsFolder(databaseUrl: string): string {
	if (!databaseUrl.startsWith('file:')) return resolve('downloads');
	return resolve(`${databaseUrl.replace(/^file:(\/\/)?/, '').replace(/\.db$/, '')}.downloads`);
}

type OpenDownload = { file: FileHandle; size: number; digest: string };

/** Opens the file of a download, or returns null if no build has made it. The caller closes it. */
export async function openDownload(folder: string, upgrade: Upgrade): Promise<OpenDownload | null> {
	const entry = (await readManifest(folder))[upgrade];
	if (!entry) return null;
	const file = await open(join(folder, entry.file)).catch(() => null);
	return file && { file, size: (await file.stat()).size, digest: entry.digest };
}

/** Returns the downloads that are there. A folder without a manifest has none. */
export async function readManifest(folder: string): Promise<Manifest> {
	const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => '{}');
	return z.parse(manifestSchema, JSON.parse(text));
}
