import type { DeployBuildingEvent } from '@netlify/functions';
import { expect, test, vi } from 'vitest';
import { auditLog, comments, outbox } from '#db/schema.ts';
import deliver from '#functions/deliver.ts';
import deploys from '#functions/deploys.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import * as api from '#src/core/builds/builds.api.ts';
import { deliver as deliverAll, type Delivery } from '#src/core/outbox/outbox.server.ts';
import {
	callBuilder,
	endBuilds,
	explainWaiting,
	hasUnfinishedBuild,
	recordBuiltUntil,
	requestBuild,
	requestDueBuild,
	claimBuilds,
	recordProgress,
} from '#src/core/builds/builds.server.ts';
import { recordBuild } from '#src/core/builds/health.server.ts';
import { HOUR, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';
import { standIn } from '#tests/support/stand-in.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(NOON.getTime() + ms);

async function setup() {
	vi.setSystemTime(NOON);
	const build = vi.fn();
	setBuilder({ build, prewarm: () => {} });
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const ask = (cause: string, now = NOON) => db.batch(requestBuild(db, cause, now));
	const list = () => call(api.listBuilds, {}, admin);
	const start = () => call(api.startBuild, {}, admin);
	return { db, build, ask, list, start };
}

/** A build hook that answers with these statuses, then with 200. */
async function useHook(...statuses: number[]) {
	const calls: string[] = [];
	const { address, close } = await standIn(({ method }) => {
		calls.push(method);
		return statuses.shift() ?? 200;
	});
	setEnv(
		parseEnv({
			BUILD_HOOK_URL: `${address}/hook`,
			SECRET: 'a secret that only the tests know',
		}),
	);
	return { calls, close };
}

test('a build goes from queued over building with progress to live', async () => {
	const { db, ask, list } = await setup();
	await ask('Changed “A”');
	expect(await list()).toMatchObject([{ state: 'queued', cause: 'Changed “A”', startedAt: null }]);
	vi.setSystemTime(later(1000));
	const ids = await claimBuilds(db, later(1000));
	await recordProgress(db, ids, { doing: 'Building pages', done: 3, total: 7 });
	expect(await list()).toMatchObject([
		{ state: 'building', doing: 'Building pages', done: 3, total: 7 },
	]);
	await endBuilds(db, ids, later(2000));
	expect(await list()).toMatchObject([
		{ state: 'live', reason: null, endedAt: later(2000).toISOString() },
	]);
	expect(await claimBuilds(db, NOON)).toEqual([]);
});

test('a failed build says why and can be tried again; the newest comes first', async () => {
	const { db, build, ask, list, start } = await setup();
	await ask('Changed “A”');
	await endBuilds(db, await claimBuilds(db, NOON), NOON, 'The disk is full.');
	expect(await list()).toMatchObject([{ state: 'failed', reason: 'The disk is full.' }]);
	vi.setSystemTime(later(1));
	const retry = await start();
	expect(retry).toMatchObject({ state: 'queued', cause: 'Asked for by hand' });
	expect((await list()).map(({ state }) => state)).toEqual(['queued', 'failed']);
	expect(build).toHaveBeenCalledTimes(1);
	expect((await db.select().from(auditLog))[0]).toMatchObject({ action: 'asked for a build' });
	expect((await start()).id).toBe(retry.id);
});

test('the call of a build that fails is delivered all the same: nothing is tried for ever', async () => {
	const { db, ask } = await setup();
	await ask('Changed “A”');
	await deliver();
	await endBuilds(db, await claimBuilds(db, NOON), NOON, 'It failed.');
	await deliver();
	expect(await db.select().from(outbox)).toMatchObject([
		{ dueAt: null, deliveredAt: NOON, attempts: 1 },
	]);
});

test('a build that was taken meanwhile is not called again', async () => {
	const { db, build, ask } = await setup();
	await ask('Changed “A”');
	await claimBuilds(db, NOON);
	await deliver();
	expect(build).not.toHaveBeenCalled();
});

test('who builds next takes what a process that is gone has left', async () => {
	const { db, ask, list } = await setup();
	await ask('Changed “A”');
	await recordProgress(db, await claimBuilds(db, NOON), {
		doing: 'Building pages',
		done: 1,
		total: 2,
	});
	await ask('Changed “B”');
	expect(await claimBuilds(db, later(MINUTE))).toHaveLength(2);
	const begun = { state: 'building', startedAt: later(MINUTE).toISOString(), doing: null };
	expect(await list()).toMatchObject([begun, begun]);
});

test('a build is under way once it has begun, or should have', async () => {
	const { db, ask } = await setup();
	expect(await hasUnfinishedBuild(db, NOON)).toBe(false);
	await ask('Changed “A”');
	expect(await hasUnfinishedBuild(db, later(9999))).toBe(false);
	expect(await hasUnfinishedBuild(db, later(10_000))).toBe(true);
	const ids = await claimBuilds(db, NOON);
	expect(await hasUnfinishedBuild(db, NOON)).toBe(true);
	await endBuilds(db, ids, NOON);
	expect(await hasUnfinishedBuild(db, later(MINUTE))).toBe(false);
	await ask('Changed “B”');
	await db.update(outbox).set({ dueAt: null, failedAt: NOON });
	expect(await hasUnfinishedBuild(db, later(MINUTE))).toBe(false);
});

test('a build names each of its causes once', async () => {
	const { ask, list } = await setup();
	for (const cause of ['Changed “A”', 'Changed “B”', 'Changed “A”']) await ask(cause);
	expect(await list()).toMatchObject([{ cause: 'Changed “A”; Changed “B”' }]);
});

test('on Netlify the hook is called, and without a word of the deploy the build is live some minutes after it was made', async () => {
	const { db, build, ask, list } = await setup();
	const { calls, close } = await useHook();
	await recordBuild(db, later(-1));
	await recordBuiltUntil(db, later(-1));
	await ask('Changed “A”');
	await deliver();
	close();
	expect([calls, build.mock.calls]).toEqual([['POST'], []]);
	expect(await list()).toMatchObject([{ state: 'building', startedAt: NOON.toISOString() }]);
	await recordBuiltUntil(db, NOON);
	await recordBuild(db, later(MINUTE));
	vi.setSystemTime(later(4 * MINUTE - 1));
	expect(await list()).toMatchObject([{ state: 'building' }]);
	vi.setSystemTime(later(4 * MINUTE));
	expect(await list()).toMatchObject([{ state: 'live', endedAt: later(4 * MINUTE).toISOString() }]);
});

/** A deploy of Netlify that was made at this time, as its events tell of it. */
const deployOf = (createdAt: Date, more: object = {}) =>
	({
		deploy: {
			context: 'production',
			createdAt: createdAt.toISOString(),
			errorMessage: null,
			...more,
		},
	}) as DeployBuildingEvent;

test('the timeline follows the deploys of Netlify, however often it is told', async () => {
	const { db, ask, list } = await setup();
	const { close } = await useHook();
	await ask('Changed “A”');
	await deliver();
	// Another change, whose own deploy comes later.
	vi.setSystemTime(later(MINUTE));
	await ask('Changed “B”', later(MINUTE));
	await deliver();
	close();
	const first = deployOf(later(100));
	for (const _ of [1, 2]) await deploys.deployBuilding(first);
	expect(await list()).toMatchObject([
		{ cause: 'Changed “B”', state: 'building', doing: null },
		{ cause: 'Changed “A”', state: 'building', doing: 'Building on Netlify' },
	]);
	await recordBuiltUntil(db, later(MINUTE - 1));
	vi.setSystemTime(later(2 * MINUTE));
	await deploys.deploySucceeded(deployOf(NOON, { context: 'deploy-preview' }));
	expect((await list()).map(({ state }) => state)).toEqual(['building', 'building']);
	for (const _ of [1, 2]) await deploys.deploySucceeded(first);
	expect(await list()).toMatchObject([
		{ cause: 'Changed “B”', state: 'building' },
		{ cause: 'Changed “A”', state: 'live', doing: null, endedAt: later(2 * MINUTE).toISOString() },
	]);
	const second = deployOf(later(MINUTE), { errorMessage: 'Build script returned code 2.' });
	for (const _ of [1, 2]) await deploys.deployFailed(second);
	await deploys.deployBuilding(second);
	const failed = { state: 'failed', doing: null, reason: 'Build script returned code 2.' };
	expect(await list()).toMatchObject([{ cause: 'Changed “B”', ...failed }, { state: 'live' }]);
});

test('a failed deploy leaves builds that were asked for after it', async () => {
	const { ask, list } = await setup();
	const { close } = await useHook();
	vi.setSystemTime(later(5001));
	await ask('Changed “A”', later(5001));
	await deliver();
	close();
	await deploys.deployFailed(deployOf(NOON));
	expect(await list()).toMatchObject([{ state: 'building', reason: null }]);
	await deploys.deployFailed(deployOf(later(1)));
	expect(await list()).toMatchObject([
		{ state: 'failed', reason: 'Netlify could not build the site.' },
	]);
});

test('a hook that is down for a moment is called again, one that refuses is not', async () => {
	const { db, ask, list } = await setup();
	const { calls, close } = await useHook(503, 404);
	await ask('Changed “A”');
	const couriers = { build: (delivery: Delivery, now: Date) => callBuilder(db, delivery, now) };
	await deliverAll(db, { couriers });
	expect(await list()).toMatchObject([{ state: 'queued' }]);
	vi.setSystemTime(later(MINUTE));
	await deliverAll(db, { couriers });
	close();
	expect(calls).toHaveLength(2);
	expect(await list()).toMatchObject([{ state: 'failed', reason: 'The build hook answers 404.' }]);
	expect(await db.select().from(outbox)).toMatchObject([{ dueAt: null, failedAt: later(MINUTE) }]);
});

test('where nothing builds the site the timeline says so', async () => {
	const { ask, list } = await setup();
	setBuilder(undefined);
	await ask('Changed “A”');
	await deliver();
	expect(await list()).toMatchObject([
		{ state: 'failed', reason: 'Nothing here builds the site: BUILD_HOOK_URL is not set.' },
	]);
});

test('a post that becomes due asks for one build, also when that fails', async () => {
	const { db, list } = await setup();
	await recordBuiltUntil(db, NOON);
	await makePost(db, { title: 'Old', publishedAt: NOON });
	await makePost(db, { title: 'Soon', publishedAt: later(MINUTE) });
	await makePost(db, { title: 'Gone', publishedAt: later(MINUTE), deletedAt: NOON });
	await makePost(db, { title: 'Draft', publishedAt: later(MINUTE), published: false });
	expect(await requestDueBuild(db, later(MINUTE - 1))).toBe(false);
	expect(await requestDueBuild(db, later(MINUTE))).toBe(true);
	expect(await requestDueBuild(db, later(MINUTE + 1))).toBe(false);
	expect(await list()).toMatchObject([{ cause: 'Due: “Soon”' }]);
	const ids = await claimBuilds(db, later(MINUTE + 2));
	expect(await requestDueBuild(db, later(MINUTE + 3))).toBe(false);
	await endBuilds(db, ids, later(MINUTE + 4), 'It failed.');
	expect(await requestDueBuild(db, later(MINUTE + 5))).toBe(false);
});

test('a new year asks for one build, because titles tell it', async () => {
	const { db, list } = await setup();
	const eve = new Date('2026-12-31T23:59:00Z');
	const newYear = new Date('2027-01-01T00:00:00Z');
	expect(await requestDueBuild(db, newYear)).toBe(false);
	await recordBuiltUntil(db, NOON);
	expect(await requestDueBuild(db, eve)).toBe(false);
	expect(await requestDueBuild(db, newYear)).toBe(true);
	expect(await requestDueBuild(db, newYear)).toBe(false);
	expect(await list()).toMatchObject([{ cause: 'A new year' }]);
	await claimBuilds(db, newYear);
	expect(await requestDueBuild(db, newYear)).toBe(false);
});

test('comments that became public since the last build ask for one build an hour', async () => {
	const { db, list } = await setup();
	const { id: postId } = await makePost(db);
	const write = (minutes: number, approved = true) => {
		const at = later(minutes * MINUTE);
		const comment = { postId, author: 'Ada', email: '', content: 'Good', approved };
		return db.insert(comments).values({ ...comment, createdAt: at, updatedAt: at });
	};
	await write(-5);
	await recordBuiltUntil(db, NOON);
	expect(await requestDueBuild(db, later(HOUR))).toBe(false);
	await write(5, false);
	expect(await requestDueBuild(db, later(HOUR))).toBe(false);
	await write(10);
	expect(await requestDueBuild(db, later(HOUR - 1))).toBe(false);
	expect(await requestDueBuild(db, later(HOUR))).toBe(true);
	expect(await requestDueBuild(db, later(HOUR + 1))).toBe(false);
	expect(await list()).toMatchObject([{ cause: 'New comments' }]);
	await endBuilds(db, await claimBuilds(db, later(HOUR)), later(HOUR));
	await recordBuiltUntil(db, later(HOUR));
	// One that was held is approved.
	await db.update(comments).set({ approved: true, updatedAt: later(2 * HOUR) });
	expect(await requestDueBuild(db, later(2 * HOUR))).toBe(true);
});

test('on Netlify the scheduled function asks for what has become due', async () => {
	const { db, list } = await setup();
	const { calls, close } = await useHook();
	await makePost(db, { title: 'Soon', publishedAt: later(MINUTE) });
	await recordBuiltUntil(db, NOON);
	vi.setSystemTime(later(MINUTE));
	await deliver();
	await deliver();
	close();
	expect(calls).toEqual(['POST']);
	expect(await list()).toMatchObject([{ state: 'building', cause: 'Due: “Soon”' }]);
});

test('the site goes back to a kept build and forward again, and the log tells', async () => {
	const { db, build, list } = await setup();
	const admin = await asAdmin(db);
	const kept = {
		builds: [
			{ id: 'b2', madeAt: NOON.toISOString(), cause: 'New', pages: 2, isShown: true },
			{ id: 'b1', madeAt: NOON.toISOString(), cause: 'Old', pages: 1, isShown: false },
		],
		isHeld: false,
		isElsewhere: false,
	};
	const show = (id: string) => {
		kept.isHeld = true;
		for (const one of kept.builds) one.isShown = one.id === id;
	};
	setBuilder({
		build,
		prewarm: () => {},
		kept: {
			list: async () => kept,
			async rollBack(id) {
				if (!kept.builds.some((one) => one.id === id)) return false;
				show(id);
				return true;
			},
			async release() {
				kept.isHeld = false;
			},
		},
	});
	expect((await call(api.listKeptBuilds, {}, admin)).builds).toHaveLength(2);
	await expect(call(api.rollBack, { id: '../b1' }, admin)).rejects.toThrow('no longer kept');
	expect((await call(api.rollBack, { id: 'b1' }, admin)).builds[1]).toMatchObject({
		id: 'b1',
		isShown: true,
	});
	expect(build).not.toHaveBeenCalled();
	expect((await call(api.release, {}, admin)).isHeld).toBe(false);
	await vi.waitFor(() => expect(build).toHaveBeenCalled());
	expect(await list()).toMatchObject([{ state: 'queued', cause: 'Asked for by hand' }]);
	const log = await db.select().from(auditLog);
	expect(log.map(({ action, subject }) => `${action} ${subject}`)).toEqual(
		expect.arrayContaining(['put the site back build b1', 'asked for a build site']),
	);
});

test('where another host builds the site, it keeps the builds', async () => {
	const { db } = await setup();
	const admin = await asAdmin(db);
	setBuilder(undefined);
	expect(await call(api.listKeptBuilds, {}, admin)).toEqual({
		builds: [],
		isHeld: false,
		isElsewhere: true,
	});
	await expect(call(api.rollBack, { id: 'b1' }, admin)).rejects.toThrow('Another host');
	await expect(call(api.release, {}, admin)).rejects.toThrow('Another host');
});

test('what waits for a build says why while the site is put back', async () => {
	const { db, ask, list } = await setup();
	await ask('A change');
	await explainWaiting(db, 'The site was put back.');
	expect(await list()).toMatchObject([{ state: 'queued', reason: 'The site was put back.' }]);
	await claimBuilds(db, NOON);
	expect(await list()).toMatchObject([{ state: 'building', reason: null }]);
});
