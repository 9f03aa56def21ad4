import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { auditLog, outbox, subscribers } from '#db/schema.ts';
import { getImport, undoImport } from '#src/features/import-export/import-export.api.ts';
import { recordRefusal } from '#src/features/newsletter/bounces.server.ts';
import { recordBounce, unsubscribe } from '#src/features/newsletter/newsletter.server.ts';
import * as api from '#src/features/newsletter/subscribers.api.ts';
import { guessMapping, readSheet, readSubscribers } from '#src/features/newsletter/files/read.ts';
import { eraseData } from '#src/features/privacy/privacy.server.ts';
import type { ImportRow } from '#src/features/newsletter/subscribers.ts';
import { DAY, isoDay, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { ADMIN_EMAIL } from '#tests/support/admin.ts';
import { ALL, NOON, subscribersDesk } from '#tests/support/subscribers.ts';
import { fetchApi } from '#tests/support/api.ts';
import { makeCategory, makeSubscriber } from '#tests/support/factories.ts';

const row = (email: string, values: Partial<ImportRow> = {}): ImportRow => ({
	email,
	name: null,
	lastName: null,
	source: null,
	active: true,
	createdAt: null,
	leftAt: null,
	...values,
});

test('the list is filtered, searched, sorted and cut into pages', async () => {
	const { db, admin, emails } = await subscribersDesk();
	const at = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000);
	await makeSubscriber(db, { email: 'b@x.example', source: 'Newsletter Button', createdAt: at(1) });
	await makeSubscriber(db, { email: 'a@x.example', active: false, leftAt: NOON, createdAt: at(2) });
	await makeSubscriber(db, {
		email: 'c@y.example',
		name: 'Grace',
		lastName: 'Hopper',
		source: 'Newsletter Modal',
		createdAt: at(3),
	});
	expect(await emails({})).toEqual(['b@x.example', 'a@x.example', 'c@y.example']);
	expect(await emails({ sort: 'email' })).toEqual(['a@x.example', 'b@x.example', 'c@y.example']);
	expect(await emails({ sort: '-email' })).toEqual(['c@y.example', 'b@x.example', 'a@x.example']);
	expect((await emails({ sort: 'source' }))[1]).toBe('b@x.example');
	expect(await emails({ state: 'inactive' })).toEqual(['a@x.example']);
	expect(await emails({ state: 'active' })).toEqual(['b@x.example', 'c@y.example']);
	expect(await emails({ source: 'Newsletter Modal' })).toEqual(['c@y.example']);
	expect(await emails({ source: '-' })).toEqual(['a@x.example']);
	expect(await emails({ q: 'X.EXAMPLE' })).toEqual(['b@x.example', 'a@x.example']);
	expect(await emails({ q: 'grace hop' })).toEqual(['c@y.example']);
	expect(await emails({ q: 'hopper GRACE y.example' })).toEqual(['c@y.example']);
	await makeSubscriber(db, { id: 'e', email: 'e@z.example', name: 'Émile', lastName: 'Żak' });
	expect(await emails({ q: 'Émile Żak Z.example' })).toEqual(['e@z.example']);
	await db.delete(subscribers).where(eq(subscribers.id, 'e'));
	expect(await emails({ q: '%' })).toEqual([]);
	expect(await call(api.countAllSubscribers, {}, admin)).toEqual({
		states: { active: 2, paused: 0, left: 1, bounced: 0 },
		labels: [],
		unconfirmed: 0,
		sources: expect.arrayContaining([
			{ source: null, count: 1 },
			{ source: 'Newsletter Button', count: 1 },
			{ source: 'Newsletter Modal', count: 1 },
		]),
	});
	// By what they get, and by when they came.
	const { id: topic } = await makeCategory(db, { name: 'Robotics' });
	const { id: other } = await makeCategory(db, { name: 'Vision' });
	await makeSubscriber(db, { email: 'd@z.example', topics: [topic], createdAt: at(-DAY / 60_000) });
	expect(await emails({ topic })).toEqual([
		'd@z.example',
		'b@x.example',
		'a@x.example',
		'c@y.example',
	]);
	expect(await emails({ topic: other })).not.toContain('d@z.example');
	const day = isoDay(NOON);
	expect(await emails({ from: day, to: day })).toHaveLength(3);
	expect(await emails({ from: isoDay(new Date(NOON.getTime() + DAY)) })).toEqual(['d@z.example']);
	expect(await emails({ to: isoDay(new Date(NOON.getTime() - DAY)) })).toEqual([]);
	await expect(emails({ from: 'soon' })).rejects.toMatchObject({ code: 'validation' });
	await db.delete(subscribers).where(eq(subscribers.email, 'd@z.example'));
	for (let index = 0; index < 25; index++) await makeSubscriber(db);
	const second = await call(api.listSubscribers, { ...ALL, page: 2 }, admin);
	expect([second.total, second.rows.length]).toEqual([28, 3]);
});

test('people are made inactive and active again, with a trace', async () => {
	const { db, admin } = await subscribersDesk();
	const { id } = await makeSubscriber(db);
	const other = await makeSubscriber(db, { active: false });
	const set = (active: boolean) =>
		call(api.activateSubscribers, { ids: [id, other.id], active }, admin);
	expect(await set(false)).toMatchObject({ changed: [id] });
	expect(await set(false)).toMatchObject({ changed: [] });
	const rows = await db.select().from(subscribers);
	expect(rows.find((one) => one.id === id)).toMatchObject({ active: false, leftAt: NOON });
	expect((await set(true)).changed.sort()).toEqual([id, other.id].sort());
	expect(await db.select().from(subscribers)).toMatchObject([
		{ active: true, leftAt: null },
		{ active: true, leftAt: null },
	]);
	expect((await db.select().from(auditLog)).map(({ actor, detail }) => [actor, detail])).toEqual([
		[ADMIN_EMAIL, '1 subscriber'],
		[ADMIN_EMAIL, '2 subscribers'],
	]);
	expect(await db.$count(outbox)).toBe(0);
});

test('what strangers typed comes out of a spreadsheet, and back in, as they typed it', async () => {
	const { db, admin } = await subscribersDesk();
	const fields = { name: "Bob;=cmd|' /C calc'!A0;x", last_name: '＝1+1', company: '|cmd' };
	await fetchApi()('/api/mailerlite/subscribe', {
		method: 'POST',
		body: JSON.stringify({ email: 'csv@example.com', fields }),
	});
	const text = await (await admin('/api/admin/subscribers/export')).text();
	for (const cell of text.split(/[;,\t\r\n]/)) expect(cell).not.toMatch(/^"?\s*[=+\-@|＝＋－＠｜]/);
	const sheet = readSheet(text);
	const { subscribers: read, errors } = readSubscribers(sheet, guessMapping(sheet.header));
	expect(errors).toEqual([]);
	const [stored] = await db.select().from(subscribers);
	const { email, name, lastName, source, active } = stored!;
	expect([name, lastName, source]).toEqual([fields.name, fields.last_name, fields.company]);
	expect(read).toMatchObject([{ email, name, lastName, source, active }]);
});

test('the export is a file of all that match, in which nothing is a formula', async () => {
	const { db, admin } = await subscribersDesk();
	await makeSubscriber(db, {
		id: '1',
		email: 'a@x.example',
		name: '=cmd|"/c calc"!A1',
		lastName: '-2+3, "quoted"',
		source: '@SUM(A1)',
		createdAt: NOON,
	});
	const topics = [];
	for (const name of ['Robotics', 'Vision']) topics.push((await makeCategory(db, { name })).id);
	await makeSubscriber(db, {
		...{ id: '2', email: '+b@x.example', active: false, createdAt: NOON, topics },
		consent: '=By hand',
	});
	const get = async (query = '') => admin(`/api/admin/subscribers/export${query}`);
	const response = await get();
	expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
	expect(response.headers.get('Content-Disposition')).toBe(
		'attachment; filename="subscribers-2026-03-01.csv"',
	);
	// Spreadsheets on Windows read its letters as they are. Reading it as a text takes the mark away.
	expect([...new Uint8Array(await response.clone().arrayBuffer())].slice(0, 3)).toEqual([
		0xef, 0xbb, 0xbf,
	]);
	expect(response.headers.get('Cache-Control')).toBe('no-store');
	expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
	expect(await response.text()).toBe(
		[
			'"email","first_name","last_name","source","active","created_at","left_at","topics","how_often","consent","labels"',
			`"a@x.example","'=cmd|""/c calc""!A1","'-2+3, ""quoted""","'@SUM(A1)",true,"${NOON.toISOString()}",,,"weekly",,`,
			`"'+b@x.example",,,,false,"${NOON.toISOString()}",,"Robotics; Vision","weekly","'=By hand",`,
			'',
		].join('\r\n'),
	);
	expect((await (await get('?state=inactive')).text()).split('\r\n')).toHaveLength(3);
	expect((await db.select().from(auditLog)).map(({ action }) => action)).toEqual([
		'exported subscribers',
		'exported subscribers',
	]);
});

test('an export that is longer than one part is whole', async () => {
	const { db, admin } = await subscribersDesk();
	const values = Array.from({ length: 5001 }, (_, n) => ({ email: `r${n}@x.example` }));
	for (let start = 0; start < values.length; start += 1000)
		await db.insert(subscribers).values(values.slice(start, start + 1000));
	const text = await (await admin('/api/admin/subscribers/export')).text();
	const found = new Set(text.split('\r\n').map((line) => line.split(',')[0]));
	expect(found.size).toBe(5001 + 2);
});

test('an import adds and completes, and who has left stays away unless chosen', async () => {
	const { db, admin } = await subscribersDesk();
	await makeSubscriber(db, { email: 'known@x.example', name: 'Ada', source: null });
	await makeSubscriber(db, { email: 'same@x.example' });
	await makeSubscriber(db, {
		email: 'left@x.example',
		active: false,
		leftAt: NOON,
		pausedUntil: new Date(NOON.getTime() + DAY),
	});
	const rows = [
		row('new@x.example', { name: 'New', createdAt: '2020-01-02T00:00:00.000Z' }),
		row('away@x.example', { active: false, consent: 'Asked at the fair' }),
		row('known@x.example', { name: 'Other', source: 'List' }),
		row('same@x.example'),
		row('left@x.example'),
	];
	const run = (options: object) =>
		call(api.importSubscribers, { rows, reactivate: false, preview: false, ...options }, admin);
	const expected = {
		...{ added: 2, completed: 1, unchanged: 1, keptAway: 1, reactivated: 0 },
		unstated: 1,
	};
	expect(await run({ preview: true })).toEqual(expected);
	// Nobody is stored of whom nobody says that they agreed.
	for (const consent of [undefined, '', ' \n'])
		await expect(run({ consent })).rejects.toMatchObject({
			code: 'validation',
			fields: { consent: 'Say how they agreed to get your letters' },
		});
	expect(await db.$count(subscribers)).toBe(3);
	expect(await db.$count(auditLog)).toBe(0);
	expect(await run({ consent: 'Signed up at\nold.example' })).toEqual(expected);
	const stored = async (email: string) =>
		(await db.select().from(subscribers)).find((one) => one.email === email);
	expect(await stored('new@x.example')).toMatchObject({
		name: 'New',
		active: true,
		createdAt: new Date('2020-01-02'),
		consent: 'Signed up at old.example',
	});
	expect(await stored('away@x.example')).toMatchObject({
		active: false,
		leftAt: NOON,
		consent: 'Asked at the fair',
	});
	expect((await stored('known@x.example'))?.consent).toBeNull();
	expect(await stored('known@x.example')).toMatchObject({ name: 'Ada', source: 'List' });
	expect(await stored('left@x.example')).toMatchObject({ active: false, leftAt: NOON });
	await expect(run({ reactivate: true })).rejects.toMatchObject({ code: 'validation' });
	expect(await run({ reactivate: true, consent: 'Asked to come back' })).toEqual({
		...{ added: 0, completed: 0, unchanged: 4, keptAway: 0, reactivated: 1 },
		unstated: 1,
	});
	expect(await stored('new@x.example')).toMatchObject({ consent: 'Signed up at old.example' });
	expect(await stored('left@x.example')).toMatchObject({
		consent: 'Asked to come back',
		active: true,
		leftAt: null,
		pausedUntil: null,
	});
	const { rows: shown } = await call(
		api.listSubscribers,
		{ q: 'new@', page: 1, sort: 'email' },
		admin,
	);
	expect(shown).toMatchObject([{ consent: 'Signed up at old.example' }]);
	// Nobody is sent an email.
	expect(await db.$count(outbox)).toBe(0);
	expect(await db.$count(auditLog)).toBe(2);
});

test('an import of what is no subscriber changes nothing', async () => {
	const { db, admin } = await subscribersDesk();
	const rows = [row('good@x.example'), row('no address')];
	const wrong = call(api.importSubscribers, { rows, reactivate: false, preview: false }, admin);
	await expect(wrong).rejects.toMatchObject({ code: 'validation' });
	expect(await db.$count(subscribers)).toBe(0);
});

const SHAPES = {
	'members.csv': `email,name,note,subscribed_to_emails,created_at,labels
ann@ghost.example,Ann,Hi,true,2023-01-02T03:04:05.000Z,vip
left@ghost.example,Bob,,false,2023-01-03T03:04:05.000Z,`,
	'unsubscribed_members_export_1.csv': `Correo electrónico,Nombre,OPTIN_TIME,UNSUB_TIME,LEID,EUID
left@chimp.example,Cy,2020-02-03 04:05:06,2022-03-04 05:06:07,1,a`,
	'subscribers.csv': `uuid,email,name,attributes,status,created_at,updated_at
1,on@monk.example,Di,{},enabled,2023-01-02T03:04:05Z,2023-01-02T03:04:05Z
2,off@monk.example,Ed,{},blocklisted,2023-01-02T03:04:05Z,2023-01-02T03:04:05Z`,
};

test('exports of others come in, go out and come in again as the same people', async () => {
	const { db, admin } = await subscribersDesk();
	const bring = async (name: string, text: string) => {
		const sheet = readSheet(text);
		const mapping = guessMapping(sheet.header, sheet.rows);
		const { subscribers: rows } = readSubscribers(sheet, mapping, {}, name);
		const run = { id: crypto.randomUUID(), name, kind: 'Subscribers' };
		const options = { reactivate: false, preview: false, consent: 'Signed up elsewhere', run };
		return call(api.importSubscribers, { rows, ...options }, admin);
	};
	for (const [name, text] of Object.entries(SHAPES)) await bring(name, text);
	const stored = async () =>
		(await db.select().from(subscribers).orderBy(subscribers.email)).map((one) => ({
			...one,
			id: '',
		}));
	const first = await stored();
	expect(first.map(({ email, active }) => [email, active])).toEqual([
		['ann@ghost.example', true],
		['left@chimp.example', false],
		['left@ghost.example', false],
		['off@monk.example', false],
		['on@monk.example', true],
	]);
	const out = await (await admin('/api/admin/subscribers/export')).text();
	await db.delete(subscribers);
	expect(await bring('subscribers-2026-03-01.csv', out)).toMatchObject({ added: 5 });
	expect(await stored()).toEqual(first);
	expect(await (await admin('/api/admin/subscribers/export')).text()).toHaveLength(out.length);
});

test('a file in parts is one entry of the log, and undone as one', async () => {
	const { db, admin } = await subscribersDesk();
	const old = await makeSubscriber(db, { email: 'known@x.example', importedAt: NOON });
	const signedUp = await makeSubscriber(db, { email: 'signed-up@x.example', createdAt: NOON });
	const away = await makeSubscriber(db, { email: 'away@x.example', active: false, leftAt: NOON });
	const before = await db.select().from(subscribers).orderBy(subscribers.id);
	const run = { id: crypto.randomUUID(), name: 'list.csv', kind: 'Subscribers' };
	const part = (...rows: ImportRow[]) =>
		call(
			api.importSubscribers,
			{ rows, reactivate: true, preview: false, consent: 'By hand', run },
			admin,
		);
	expect(await part(row('a@x.example'), row('b@x.example', { active: false }))).toMatchObject({
		added: 2,
	});
	// Who left elsewhere has left here, but not who signed up here afterwards.
	const left = { active: false, leftAt: '2025-01-01T00:00:00.000Z' };
	const second = await part(row(old.email, { ...left, name: 'Ada' }), row(signedUp.email, left));
	expect(second).toMatchObject({ left: 1, unchanged: 1 });
	expect(await part(row(away.email))).toMatchObject({ reactivated: 1 });
	const now = async (email: string) =>
		(await db.select().from(subscribers).where(eq(subscribers.email, email)))[0];
	expect(await now(old.email)).toMatchObject({ active: false, name: 'Ada' });
	expect(await now(signedUp.email)).toMatchObject({ active: true });
	expect(await now(away.email)).toMatchObject({ active: true, consent: 'By hand' });
	expect((await db.select().from(auditLog)).map(({ action, detail }) => [action, detail])).toEqual([
		['imported subscribers', 'Subscribers: list.csv'],
	]);
	// Sent again, as after a broken line.
	await part(row('a@x.example'));
	expect(await call(getImport, { id: run.id }, admin)).toMatchObject({
		removes: { subscribers: 2 },
		restores: 2,
		keeps: [],
	});
	await call(undoImport, { id: run.id }, admin);
	expect(await db.select().from(subscribers).orderBy(subscribers.id)).toEqual(before);
	await expect(part(row('c@x.example'))).rejects.toMatchObject({ code: 'conflict' });
});

test('what was changed since an import stays when it is undone', async () => {
	const { db, admin } = await subscribersDesk();
	const old = await makeSubscriber(db, { email: 'known@x.example', importedAt: NOON });
	const run = { id: crypto.randomUUID(), name: 'list.csv', kind: 'Subscribers' };
	const rows = [row(old.email, { name: 'Ada', active: false })];
	await call(api.importSubscribers, { rows, reactivate: false, preview: false, run }, admin);
	await call(api.activateSubscribers, { ids: [old.id], active: true }, admin);
	expect(await call(undoImport, { id: run.id }, admin)).toMatchObject({
		restores: 0,
		keeps: [{ name: '1 subscriber' }],
	});
	expect((await db.select().from(subscribers))[0]).toMatchObject({ active: true, name: 'Ada' });
});

test('who left since an import stays away when it is undone, and when the file comes again', async () => {
	const { db, admin } = await subscribersDesk();
	const file = (id: string = crypto.randomUUID()) => ({
		id,
		name: 'list.csv',
		kind: 'Subscribers',
	});
	const rows = ['left', 'refused', 'complained', 'erased', 'by-hand', 'stays'].map((name) =>
		row(`${name}@x.example`),
	);
	rows.push(row('away@x.example', { active: false }));
	const bring = (run: ReturnType<typeof file>, people = rows, reactivate = false) =>
		call(
			api.importSubscribers,
			{ rows: people, reactivate, preview: false, consent: 'By hand', run },
			admin,
		);
	const first = file();
	await bring(first);
	const listed = await call(api.listSubscribers, ALL, admin);
	const came = { at: NOON.toISOString(), file: 'list.csv' };
	expect(listed.rows.map(({ imported }) => imported)).toEqual(rows.map(() => came));
	const later = new Date(NOON.getTime() + MINUTE);
	await unsubscribe(db, { list: 'weekly', email: 'left@x.example', seesData: false }, later);
	await recordBounce(db, 'refused@x.example', true, later);
	const complaint = { address: 'complained@x.example', kind: 'complaint', reason: '' } as const;
	await recordRefusal(db, complaint, later);
	await eraseData(db, 'erased@x.example', later);
	vi.setSystemTime(later);
	const [{ id: byHand } = { id: '' }] = await db
		.select()
		.from(subscribers)
		.where(eq(subscribers.email, 'by-hand@x.example'));
	await call(api.activateSubscribers, { ids: [byHand], active: false }, admin);

	vi.setSystemTime(later.getTime() + MINUTE);
	expect(await call(getImport, { id: first.id }, admin)).toMatchObject({
		removes: { subscribers: 2 },
		keeps: [{ name: '4 subscribers' }],
	});
	expect(await call(undoImport, { id: first.id }, admin)).toMatchObject({
		removes: { subscribers: 2 },
	});
	const stored = async () =>
		(await db.select().from(subscribers).orderBy(subscribers.email)).map(({ email, active }) => [
			email.split('@')[0],
			active,
		]);
	const gone = ['by-hand', 'complained', 'left', 'refused'].map((name) => [name, false]);
	expect(await stored()).toEqual(gone);
	// The same file again, and as other people wrote it.
	expect(await bring(file())).toMatchObject({ added: 2, keptAway: 5, reactivated: 0 });
	expect(await stored()).toEqual([['away', false], ...gone, ['stays', true]]);
	const erased = [row('erased@x.example')];
	expect(await bring(file(), erased)).toMatchObject({ added: 0, keptAway: 1 });
	// Who asked to come back is brought back by the owner's word, or comes by signing up.
	expect(await bring(file(), erased, true)).toMatchObject({ added: 0, reactivated: 1 });
	expect(await stored()).toContainEqual(['erased', true]);
});

test('no undo wakes who left meanwhile: of two imports, of a file that said so, or at the desk', async () => {
	const { db, admin } = await subscribersDesk();
	const bring = async (...rows: ImportRow[]) => {
		const run = { id: crypto.randomUUID(), name: 'list.csv', kind: 'Subscribers' };
		const options = { reactivate: false, preview: false, consent: 'By hand', run };
		await call(api.importSubscribers, { rows, ...options }, admin);
		return run.id;
	};
	const at = (minutes: number) => new Date(NOON.getTime() + minutes * MINUTE);
	const emails = ['two@x.example', 'again@x.example', 'refused@x.example', 'back@x.example'];
	const first = await bring(...emails.map((email) => row(email)));
	vi.setSystemTime(at(1));
	const second = await bring(...emails.map((email) => row(email, { active: false })));
	await unsubscribe(db, { list: 'weekly', email: 'again@x.example', seesData: false }, at(2));
	await recordBounce(db, 'refused@x.example', true, at(2));
	expect(await call(getImport, { id: second }, admin)).toMatchObject({ restores: 2, wakes: 2 });
	// Nothing is left of the first one but what the second one said.
	expect(await call(undoImport, { id: first }, admin)).toMatchObject({
		removes: { subscribers: 0 },
	});
	await call(undoImport, { id: second }, admin);
	expect(await db.$count(subscribers, eq(subscribers.active, true))).toBe(0);

	await db.delete(subscribers);
	const ids = [];
	for (const email of emails) ids.push((await makeSubscriber(db, { email })).id);
	vi.setSystemTime(at(3));
	const { leftAt } = await call(api.activateSubscribers, { ids, active: false }, admin);
	await unsubscribe(db, { list: 'weekly', email: 'again@x.example', seesData: false }, at(3));
	await recordBounce(db, 'refused@x.example', true, at(3));
	const undo = { ids, active: true, leftAt };
	expect((await call(api.activateSubscribers, undo, admin)).changed).toHaveLength(2);
	const away = await db.select().from(subscribers).where(eq(subscribers.active, false));
	expect(away.map(({ email }) => email).sort()).toEqual(['again@x.example', 'refused@x.example']);
});

test('a preview needs no new sign-in, an import does', async () => {
	const { admin } = await subscribersDesk();
	vi.setSystemTime(NOON.getTime() + DAY);
	const options = { rows: [row('a@x.example')], reactivate: false, consent: 'By hand' };
	expect(await call(api.importSubscribers, { ...options, preview: true }, admin)).toMatchObject({
		added: 1,
	});
	await expect(
		call(api.importSubscribers, { ...options, preview: false }, admin),
	).rejects.toMatchObject({ code: 'sign_in_again' });
});

test('an address is found as it is written and as it is stored', async () => {
	const { db, emails } = await subscribersDesk();
	await makeSubscriber(db, { email: 'user@xn--e1afmkfd.xn--p1ai' });
	for (const q of ['пример', 'user@пример.рф', 'xn--e1afmkfd'])
		expect(await emails({ q })).toEqual(['user@xn--e1afmkfd.xn--p1ai']);
});
