import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditLog, comments, letters, outbox, subscribers } from '#db/schema.ts';
import { undoImport } from '#src/features/import-export/import-export.api.ts';
import { proofOf } from '#src/features/confirmation/confirmation.ts';
import { enroll } from '#src/features/course/course.server.ts';
import { requestUpgrade } from '#src/features/downloads/downloads.server.ts';
import { guessMapping, readSheet, readSubscribers } from '#src/features/newsletter/files/read.ts';
import {
	recordBounce,
	subscribe,
	unsubscribe,
} from '#src/features/newsletter/newsletter.server.ts';
import * as api from '#src/features/newsletter/subscribers.api.ts';
import { erasePerson, getPerson } from '#src/features/people/person.api.ts';
import { eraseData } from '#src/features/privacy/privacy.server.ts';
import { DAY, HOUR } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { ADMIN_EMAIL } from '#tests/support/admin.ts';
import { NOON, subscribersDesk } from '#tests/support/subscribers.ts';
import { makeCategory, makePost, makeSubscriber } from '#tests/support/factories.ts';

const ADA = 'ada@x.example';

async function setup() {
	const { db, admin, emails } = await subscribersDesk();
	const add = (email: string, consent = 'Asked me at the fair') =>
		call(api.addSubscriber, { email, name: 'Ada Byron Lovelace', consent }, admin);
	const label = (ids: string[] | undefined, text: string, on = true) =>
		call(api.labelSubscribers, { ...(ids && { ids }), label: text, on }, admin);
	return { db, admin, emails, add, label };
}

test('somebody is added by hand with how they agreed, and sent nothing', async () => {
	const { db, admin, add } = await setup();
	const { id } = await add('Ada@X.example');
	expect(await db.select().from(subscribers)).toMatchObject([
		{
			...{ id, email: ADA, name: 'Ada', lastName: 'Byron Lovelace', active: true },
			...{ consent: 'Asked me at the fair', source: 'Added by hand', importedAt: NOON },
		},
	]);
	expect(await db.$count(outbox)).toBe(0);
	expect(await db.select().from(auditLog)).toMatchObject([
		{ actor: ADMIN_EMAIL, action: 'added a subscriber', subject: `subscriber ${id}` },
	]);
	await expect(add('b@x.example', ' ')).rejects.toMatchObject({
		fields: { consent: 'Say how this person agreed to get your letters' },
	});
	await expect(add('nobody')).rejects.toMatchObject({ code: 'validation' });
	await expect(add(ADA)).rejects.toMatchObject({
		fields: { email: 'This person gets your letters already.' },
	});
	expect(await db.$count(subscribers)).toBe(1);
	const { signups } = await call(
		(await import('#src/features/stats/stats.api.ts')).getStats,
		{ days: 7 },
		admin,
	);
	expect(signups).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test('by hand nobody is brought back who left, bounced, or had everything erased', async () => {
	const { db, add } = await setup();
	await subscribe(db, { email: ADA }, NOON);
	await unsubscribe(db, { list: 'weekly', email: ADA, seesData: false }, NOON);
	await makeSubscriber(db, {
		email: 'gone@x.example',
		active: false,
		hardBounces: 2,
		leftAt: NOON,
	});
	await makeSubscriber(db, { email: 'erased@x.example' });
	await eraseData(db, 'erased@x.example', NOON);
	const before = await db.select().from(subscribers);
	for (const [email, words] of [
		[ADA, 'This person left on March 1, 2026.'],
		['gone@x.example', 'This person could not be reached on March 1, 2026.'],
		['erased@x.example', 'This person had everything erased.'],
	] as const) {
		await expect(add(email), email).rejects.toMatchObject({
			fields: { email: expect.stringContaining(words) as string },
		});
	}
	expect(await db.select().from(subscribers)).toEqual(before);
});

test('of two presses at once one adds', async () => {
	const { db, add } = await setup();
	const done = await Promise.allSettled([add(ADA), add(ADA), add(ADA)]);
	expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
	expect(await db.$count(subscribers)).toBe(1);
	expect(await db.$count(auditLog)).toBe(1);
});

test('people are counted and found by state: active, paused, left, bounced', async () => {
	const { db, admin, emails } = await setup();
	const later = new Date(NOON.getTime() + DAY);
	await makeSubscriber(db, { email: 'active@x.example' });
	await makeSubscriber(db, { email: 'was-paused@x.example', pausedUntil: NOON });
	await makeSubscriber(db, { email: 'paused@x.example', pausedUntil: later });
	await makeSubscriber(db, { email: 'left@x.example', active: false, leftAt: NOON });
	await makeSubscriber(db, { email: 'bounced@x.example' });
	await recordBounce(db, 'bounced@x.example', true, NOON);
	expect(await call(api.countAllSubscribers, {}, admin)).toMatchObject({
		states: { active: 2, paused: 1, left: 1, bounced: 1 },
	});
	expect((await emails({ state: 'active' })).sort()).toEqual([
		'active@x.example',
		'was-paused@x.example',
	]);
	for (const state of ['paused', 'left', 'bounced'])
		expect(await emails({ state })).toEqual([`${state}@x.example`]);
	expect((await emails({ state: 'inactive' })).sort()).toEqual([
		'bounced@x.example',
		'left@x.example',
	]);
});

test('labels are added, found, removed from some or from everybody, and kept to 20', async () => {
	const { db, admin, emails, label } = await setup();
	const { id: a } = await makeSubscriber(db, { email: 'a@x.example' });
	const { id: b } = await makeSubscriber(db, { email: 'b@x.example' });
	const { id: c } = await makeSubscriber(db, { email: 'c@x.example', active: false });
	expect(await label([a, c], ' Met  at NeurIPS ')).toMatchObject({ count: 2 });
	// In capitals or not it is the same one.
	expect(await label([a, b], 'met at neurips')).toMatchObject({ changed: [b], count: 1 });
	expect(await call(api.countAllSubscribers, {}, admin)).toMatchObject({
		labels: [{ label: 'Met at NeurIPS', count: 3 }],
	});
	expect((await emails({ label: 'MET AT NEURIPS' })).sort()).toEqual([
		'a@x.example',
		'b@x.example',
		'c@x.example',
	]);
	expect(await emails({ label: 'met at neurips', state: 'left' })).toEqual(['c@x.example']);
	expect(await label([a], 'Met at NeurIPS', false)).toEqual({ changed: [a], count: 1 });
	expect(await label(undefined, 'Met at NeurIPS', false)).toMatchObject({ count: 2 });
	expect(await emails({ label: 'Met at NeurIPS' })).toEqual([]);
	for (const wrong of ['', ' ', 'a, b', 'a;b', '"a"', 'x'.repeat(61)])
		await expect(label([a], wrong), wrong).rejects.toMatchObject({ code: 'validation' });
	await expect(label(undefined, 'All')).rejects.toMatchObject({ code: 'validation' });
	for (let n = 0; n < 21; n++) await label([a, b], `L${n}`);
	const rows = await db.select().from(subscribers).where(eq(subscribers.id, a));
	expect(rows[0]!.labels).toHaveLength(20);
	expect(await label([a], 'One more')).toEqual({ changed: [], count: 0 });
	await db.run(`update subscribers set labels = 'broken' where id = '${b}'`);
	expect(await emails({ label: 'L1' })).toEqual(['a@x.example']);
	expect((await emails({})).length).toBe(3);
});

test('labels go out with the list and come in again, whoever wrote the file', async () => {
	const { db, admin, label } = await setup();
	const { id } = await makeSubscriber(db, { email: ADA, consent: 'Form' });
	await label([id], 'VIP');
	await label([id], 'Beta');
	const text = await (await admin('/api/admin/subscribers/export?label=vip')).text();
	expect(text).toContain('"VIP, Beta"');
	const read = (csv: string) => {
		const sheet = readSheet(csv);
		return readSubscribers(sheet, guessMapping(sheet.header, sheet.rows)).subscribers;
	};
	expect(read(text)).toMatchObject([{ email: ADA, labels: ['VIP', 'Beta'] }]);
	expect(
		read('Email Address,TAGS\nada@x.example,"""VIP"",""Old list"""\nbob@x.example,'),
	).toMatchObject([{ labels: ['VIP', 'Old list'] }, { email: 'bob@x.example' }]);
	const run = { id: crypto.randomUUID(), name: 'tags.csv', kind: 'CSV' };
	const rows = read('email,labels\nada@x.example,vip;Old list\nbob@x.example,VIP');
	const input = { rows, reactivate: false, preview: false, consent: 'Old site', run };
	expect(await call(api.importSubscribers, input, admin)).toMatchObject({ added: 1, completed: 1 });
	const labels = async () =>
		Object.fromEntries((await db.select().from(subscribers)).map((row) => [row.email, row.labels]));
	expect(await labels()).toEqual({
		[ADA]: ['VIP', 'Beta', 'Old list'],
		'bob@x.example': ['VIP'],
	});
	await call(undoImport, { id: run.id }, admin);
	expect(await labels()).toEqual({ [ADA]: ['VIP', 'Beta'] });
});

test('the page of a person shows what it gets, how that was agreed to, what it was sent and wrote', async () => {
	const { db, admin } = await setup();
	const { id: topic } = await makeCategory(db, { name: 'Robotics' });
	const { id: postId } = await makePost(db, { title: 'Kalman' });
	const consent = proofOf({ page: '/newsletter', createdAt: NOON }, 'Send it to me.', NOON);
	await subscribe(db, { email: ADA, source: 'Newsletter Button', topics: [topic], consent }, NOON);
	await enroll(db, { email: ADA, website: '', startedAt: 0 }, NOON);
	await requestUpgrade(db, { email: ADA, upgradeType: 'pdf' } as never, NOON);
	await db.insert(letters).values({ id: 'l1', subject: 'Hello there' });
	const later = new Date(NOON.getTime() + HOUR);
	await db.insert(outbox).values({
		...{ kind: 'letter', key: 'l1 s1', recipient: ADA, payload: {} },
		...{ createdAt: later, deliveredAt: later },
	});
	await db.insert(comments).values({ postId, author: 'Ada', email: ADA, content: 'Yes.' });
	const person = await call(getPerson, { email: ADA }, admin);
	expect(person).toMatchObject({
		email: ADA,
		subscriber: {
			...{ state: 'active', source: 'Newsletter Button', topics: ['Robotics'], consent },
			...{ wantsWhole: false, cadence: 'weekly', imported: null, labels: [] },
		},
		course: { lesson: 1, state: 'running' },
		comments: { total: 1, rows: [{ article: 'Kalman', content: 'Yes.', isPublic: true }] },
		messages: { total: 0, rows: [] },
		held: '1 subscription, 1 course, 1 comment, and 4 emails',
	});
	const newest = async () => (await call(getPerson, { email: ADA }, admin)).emails.rows[0];
	expect(await newest()).toMatchObject({ title: 'Hello there', state: 'delivered' });
	const again = { deliveredAt: null, dueAt: later, attempts: 1 };
	await db.update(outbox).set(again).where(eq(outbox.kind, 'letter'));
	expect(await newest()).toMatchObject({ state: 'retrying' });
	await db.update(outbox).set({ leasedUntil: later }).where(eq(outbox.kind, 'letter'));
	expect(await newest()).toMatchObject({ state: 'sending' });
	expect(person.emails.rows.map(({ kind, title }) => `${kind} ${title}`)).toContain(
		'download The field guide',
	);
	expect(await call(getPerson, { email: 'nobody@x.example' }, admin)).toMatchObject({
		...{ subscriber: null, course: null, held: '' },
		emails: { total: 0, rows: [] },
	});
	expect((await admin('/api/admin/person?email=nobody')).status).toBe(400);
});

test('whoever asks for it has everything erased, and the log does not say whose it was', async () => {
	const { db, admin } = await setup();
	const { id: postId } = await makePost(db);
	await subscribe(db, { email: ADA }, NOON);
	await makeSubscriber(db, { email: 'bob@x.example' });
	await db.insert(comments).values({ postId, author: 'Ada', email: ADA, content: 'Yes.' });
	expect(await call(erasePerson, { email: ADA }, admin)).toEqual({
		erased: '1 subscription, 1 comment, and 1 email',
	});
	expect(await call(getPerson, { email: ADA }, admin)).toMatchObject({ held: '' });
	expect(await db.select().from(subscribers)).toMatchObject([{ email: 'bob@x.example' }]);
	expect(await db.$count(comments)).toBe(0);
	const log = await db.select().from(auditLog);
	expect(log).toMatchObject([
		{
			actor: ADMIN_EMAIL,
			action: 'erased the data of a reader who asked for it',
			detail: '1 subscription, 1 comment, and 1 email',
		},
	]);
	expect(JSON.stringify(log)).not.toContain(ADA);
	expect(await call(erasePerson, { email: ADA }, admin)).toEqual({ erased: '' });
	expect(await db.$count(auditLog)).toBe(1);
});
