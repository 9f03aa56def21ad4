import { eq, like, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditLog, builds, meta, states } from '#db/schema.ts';
import { checkRows } from '#src/core/builds/rows.server.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { dataRows, toCsv, toJson } from '#src/features/states/data.ts';
import * as api from '#src/features/states/editing.api.ts';
import type { EditedState } from '#src/features/states/editing.ts';
import { yearOf } from '#src/features/states/figures.ts';
import { allFigures, computedFigures, type Figure } from '#src/features/states/state.ts';
import { stateMarkdown } from '#src/features/states/state-markdown.ts';
import { listStates } from '#src/features/states/states.server.ts';
import { fetchApi } from '#tests/support/api.ts';
import { seedContent, unrendered } from '#tests/support/seed.ts';
import { useSeededDesk } from '#tests/support/seeded-desk.ts';

async function setup() {
	const { db, admin, ask } = await useSeededDesk();
	const ohio = () => ask(api.get, { slug: 'ohio' });
	/** All that is public of the states. */
	const shown = async () => {
		const all = await listStates(db);
		return [toCsv(dataRows(all)), toJson(all), all.map((one) => stateMarkdown(one, 'https://x'))];
	};
	return { db, admin, ask, ohio, shown };
}

const JOBS = 'dataScientists.employment';
const RESEARCHERS = 'computerAndInformationResearchScientists.employment';

/** Figures with another value of one kind. */
const withValue = (figures: Figure[], key: string, value: number | null) =>
	figures.map((figure) => (figure.key === key ? { ...figure, value } : figure));

/** Figures and those of another year. */
const withYear = (
	{ figures }: EditedState,
	asOf: string,
	values: Record<string, number | null>,
) => [
	...figures,
	...Object.entries(values).map(([key, value]) => ({ key, value, asOf, source: 'A bureau' })),
];

test('the states are listed and opened with all that can be edited', async () => {
	const { ask, ohio } = await setup();
	const rows = await ask(api.list, {});
	expect(rows).toHaveLength(50);
	expect(rows.find(({ slug }) => slug === 'ohio')).toMatchObject({
		name: 'Ohio',
		aiJobs: 6380,
		years: ['2025', '2023', '2020'],
		offered: false,
		version: 1,
	});
	expect(await ohio()).toMatchObject({
		slug: 'ohio',
		version: 1,
		offer: null,
		capital: 'Columbus',
	});
	await expect(ask(api.get, { slug: 'atlantis' })).rejects.toMatchObject({
		code: 'not_found',
	});
});

test('nobody else reads or changes a state there', async () => {
	await setup();
	for (const [path, method] of [
		['', 'GET'],
		['/ohio', 'GET'],
		['/ohio', 'PUT'],
		['/import', 'POST'],
		['/shipped', 'GET'],
		['', 'POST'],
		['/ohio', 'DELETE'],
		['/ohio/revisions', 'GET'],
		['/ohio/revisions/1', 'GET'],
	] as const) {
		const response = await fetchApi()(`/api/admin/states${path}`, { method });
		expect(response.status, path).toBe(401);
	}
});

test('a corrected figure is everywhere, the numbers made of it follow, and undone all is as before', async () => {
	const { db, ask, ohio, shown } = await setup();
	const before = await shown();
	const { figures, version } = await ohio();
	const saved = await ask(api.update, {
		slug: 'ohio',
		version,
		figures: withValue(figures, JOBS, 5000),
	});
	expect(saved).toMatchObject({ version: 2, aiJobs: 5280 });
	// (5,000 × 107,160 + 280 × 126,370) / 5,280
	expect(saved.averageSalary).toBe(108179);
	for (const text of await shown()) expect(JSON.stringify(text)).toMatch(/5000|5,000/);
	expect(await db.$count(builds)).toBe(1);
	const log = await db.select().from(auditLog).where(eq(auditLog.action, 'changed'));
	expect(log).toMatchObject([{ detail: '“Ohio”: Figures' }]);

	await ask(undoAction, { token: saved.undo! });
	expect(await shown()).toEqual(before);
	expect(await ohio()).toMatchObject({ version: 3, aiJobs: 6380, averageSalary: 108003 });
});

test('another year adds to the earlier ones, and counts once both occupations are there', async () => {
	const { db, ask, ohio } = await setup();
	const put = async (values: Record<string, number | null>) =>
		ask(api.update, { slug: 'ohio', figures: withYear(await ohio(), '2026-05', values) });
	expect(await put({ [JOBS]: 6000 })).toMatchObject({ aiJobs: 6380 });
	const half = (await listStates(db)).find(({ slug }) => slug === 'ohio')!;
	expect(computedFigures(half)[0]).toMatchObject({ value: 6380, asOf: '2025-05' });
	expect(await put({ [RESEARCHERS]: null })).toMatchObject({ aiJobs: 6000 });
	const whole = (await listStates(db)).find(({ slug }) => slug === 'ohio')!;
	expect(computedFigures(whole)[0]).toMatchObject({ value: 6000, asOf: '2026-05' });
	expect(whole.figures.find(({ key }) => key === JOBS)).toMatchObject({ asOf: '2026-05' });
	const earlier = whole.earlier?.filter(({ key }) => [JOBS, RESEARCHERS].includes(key));
	expect(earlier?.map(yearOf)).toEqual(['2025', '2023', '2025', '2023']);
	expect(allFigures(whole)).toHaveLength(48);
});

test('an outdated version is refused with what is stored, and the same again changes nothing', async () => {
	const { db, ask, ohio } = await setup();
	const { figures } = await ohio();
	const first = await ask(api.update, { slug: 'ohio', version: 1, capital: 'Cleveland' });
	expect(first).toMatchObject({ capital: 'Cleveland', version: 2 });
	await expect(
		ask(api.update, { slug: 'ohio', version: 1, capital: 'Dayton' }),
	).rejects.toMatchObject({ code: 'conflict', stored: { capital: 'Cleveland', version: 2 } });
	const again = await ask(api.update, {
		slug: 'ohio',
		version: 2,
		capital: ' Cleveland\n',
		figures: figures.toReversed(),
	});
	expect(again).toMatchObject({ version: 2, undo: null });
	expect(await db.$count(builds)).toBe(1);
});

test('a list is stored in its new order, without empty entries', async () => {
	const { ask, ohio } = await setup();
	const { aiCompanies } = await ohio();
	const turned = [...aiCompanies.toReversed(), ' ', ''];
	const saved = await ask(api.update, { slug: 'ohio', aiCompanies: turned });
	expect(saved.aiCompanies).toEqual(aiCompanies.toReversed());
});

test('every version stays, whatever made the next one, and can be read again', async () => {
	const { ask, ohio } = await setup();
	const original = await ohio();
	const { undo } = await ask(api.update, { slug: 'ohio', capital: 'Cleveland' });
	await ask(undoAction, { token: undo! });
	const versions = await ask(api.listRevisions, { slug: 'ohio' });
	expect(versions.map(({ version }) => version)).toEqual([2, 1]);
	expect(versions[0]).toMatchObject({ changed: ['Capital'], added: 1, removed: 1 });
	const { form } = await ask(api.getRevision, { slug: 'ohio', version: 2 });
	expect(form.capital).toBe('Cleveland');
	expect(form.figures).toEqual(original.figures);
	const restored = await ask(api.update, { slug: 'ohio', ...form });
	expect(restored).toMatchObject({ capital: 'Cleveland', version: 4 });
	for (const input of [
		{ slug: 'ohio', version: 9 },
		{ slug: 'atlantis', version: 1 },
	]) {
		await expect(ask(api.getRevision, input)).rejects.toMatchObject({ code: 'not_found' });
	}
});

test('what is typed of one state is kept, and of no other', async () => {
	const { ask } = await setup();
	const copy = { version: 1, base: { capital: 'Columbus' }, form: { capital: 'C' }, at: 5 };
	await ask(api.keepUnsaved, { slug: 'ohio', copy });
	expect(await ask(api.getUnsaved, { slug: 'ohio' })).toEqual({ copy });
	expect(await ask(api.getUnsaved, { slug: 'utah' })).toEqual({ copy: null });
});

test('what was changed again since is not undone, and says so', async () => {
	const { ask, ohio } = await setup();
	const first = await ask(api.update, { slug: 'ohio', capital: 'Cleveland' });
	await ask(api.update, { slug: 'ohio', capital: 'Dayton' });
	await expect(ask(undoAction, { token: first.undo! })).rejects.toMatchObject({
		code: 'conflict',
		message: '“Ohio” was changed again since. Undo that first.',
	});
	expect((await ohio()).capital).toBe('Dayton');
});

const figure = { key: JOBS, value: 1, source: 'S', asOf: '2019' };
test.each([
	['a figure that there is not', { figures: [{ ...figure, key: 'moon' }] }, 'figures.0.key'],
	['a negative number', { figures: [{ ...figure, value: -1 }] }, 'figures.0.value'],
	['half a job', { figures: [{ ...figure, value: 1.5 }] }, 'figures.0.value'],
	['a number beyond reason', { figures: [{ ...figure, value: 1e300 }] }, 'figures.0.value'],
	['no source', { figures: [{ ...figure, source: ' \n' }] }, 'figures.0.source'],
	['a script as link', { figures: [{ ...figure, link: 'javascript:alert(1)' }] }, 'figures.0.link'],
	['a day that there is not', { figures: [{ ...figure, asOf: '2023-02-30' }] }, 'figures.0.asOf'],
	['a month that there is not', { figures: [{ ...figure, asOf: '2023-13' }] }, 'figures.0.asOf'],
	['a year twice', { figures: [figure, { ...figure, asOf: '2019-05' }] }, 'figures.1.asOf'],
	['no census', { figures: [figure] }, 'figures'],
	['no capital', { capital: '' }, 'capital'],
	['a list of too many', { keywords: Array.from({ length: 201 }, String) }, 'keywords'],
	['too long a text', { description: 'x'.repeat(3001) }, 'description'],
])('%s is refused at its field, and nothing is stored', async (_, changes, field) => {
	const { ask, ohio } = await setup();
	const stored = await ohio();
	const problem = await ask(api.update, { slug: 'ohio', ...changes }).catch(
		(error: unknown) => error as { code: string; fields: object },
	);
	expect(problem).toMatchObject({ code: 'validation' });
	expect(Object.keys((problem as { fields: object }).fields)).toContain(field);
	expect(await ohio()).toEqual(stored);
});

test('texts that no page could be made of are stored as ones that can be', async () => {
	const { db, ask } = await setup();
	const saved = await ask(api.update, {
		slug: 'ohio',
		description: 'One\u0000\u202e two.\r\n\r\nThree.',
		aiCompanies: ['<script>alert(1)</script>\u0000', '=1+1'],
	});
	expect(saved.description).toBe('One two.\n\nThree.');
	expect(saved.aiCompanies).toEqual(['<script>alert(1)</script>', '=1+1']);
	await checkRows(db, new Date());
	expect(await listStates(db)).toHaveLength(50);
});

test('a state that holds what no page can be made of is opened, and saving mends it', async () => {
	const { db, ask, ohio } = await setup();
	await db.run(
		sql`update states set figures = '{', tech_hubs = '7', capital = x'ff' where slug = 'ohio'`,
	);
	expect(await ohio()).toMatchObject({ figures: [], techHubs: [], capital: '�' });
	const { figures } = await ask(api.get, { slug: 'texas' });
	await ask(api.update, { slug: 'ohio', figures, techHubs: ['A'], capital: 'Columbus' });
	expect(await ohio()).toMatchObject({ techHubs: ['A'], capital: 'Columbus' });
	expect((await ask(api.listRevisions, { slug: 'ohio' })).length).toBe(1);
	expect((await ask(api.getRevision, { slug: 'ohio', version: 1 })).form.figures).toEqual([]);
});

/** A table as a spreadsheet of another country writes it. */
const excel = (rows: string[]) =>
	`\uFEFF${['state;slug;abbreviation;figure;label;value;unit;source;as_of', ...rows].join('\r\n')}\r\n`;
const SOURCE = '"US Bureau of Labor Statistics, Occupational Employment and Wage Statistics"';

test('a table of a year is shown first, cell by cell, and imported as it was shown', async () => {
	const { db, ask, ohio, shown } = await setup();
	const before = await shown();
	const csv = excel([
		`Ohio;ohio;OH;${JOBS};Data Scientists (15-2051): employment;"5,120";jobs;${SOURCE};May-26`,
		`Ohio;ohio;OH;${RESEARCHERS};;180;jobs;${SOURCE};2026-05`,
		`Ohio;ohio;OH;population;;"11,799,448";people;"US Census Bureau, 2020 Census resident count";4/1/2020`,
		`Texas;;TX;${JOBS};;20561;jobs;${SOURCE};2023-05`,
		`Wyoming;wyoming;WY;${JOBS};;;jobs;${SOURCE};2026-05`,
		`Ohio;ohio;OH;aiJobs;;5300;jobs;Computed;2026-05`,
	]);
	const seen = await ask(api.importFigures, { csv });
	expect(seen).toMatchObject({ same: 1, computed: 1, states: [], undo: null });
	expect(seen.changes.filter(({ cell }) => cell === 'value')).toEqual([
		expect.objectContaining({ slug: 'ohio', year: '2026', before: null, after: '5120' }),
		expect.objectContaining({ slug: 'ohio', year: '2026', before: null, after: '180' }),
		expect.objectContaining({ slug: 'texas', year: '2023', before: '20560', after: '20561' }),
		expect.objectContaining({ slug: 'wyoming', before: null, after: 'not published' }),
	]);
	expect(await shown()).toEqual(before);
	expect((await ohio()).version).toBe(1);

	const done = await ask(api.importFigures, { csv, preview: seen.preview });
	expect(done.states).toEqual([
		{ slug: 'ohio', version: 2 },
		{ slug: 'texas', version: 2 },
		{ slug: 'wyoming', version: 2 },
	]);
	expect(await ohio()).toMatchObject({ aiJobs: 5300 });
	const years = (await ohio()).figures.filter(({ key }) => key === JOBS).map(yearOf);
	expect(years).toEqual(['2026', '2025', '2023']);
	expect(await db.$count(builds)).toBe(1);
	const again = await ask(api.importFigures, { csv });
	expect(again).toMatchObject({ changes: [], same: 5 });

	await ask(undoAction, { token: done.undo! });
	expect(await shown()).toEqual(before);
});

test('an import that would change something else by now is shown again', async () => {
	const { ask, ohio } = await setup();
	const csv = excel([`;ohio;;${JOBS};;5000;;S;2025-05`]);
	const { preview } = await ask(api.importFigures, { csv });
	const { figures } = await ohio();
	await ask(api.update, { slug: 'ohio', figures: withValue(figures, JOBS, 4999) });
	await expect(ask(api.importFigures, { csv, preview })).rejects.toMatchObject({
		code: 'conflict',
		stored: { changes: expect.arrayContaining([expect.objectContaining({ before: '4999' })]) },
	});
	expect((await ohio()).version).toBe(2);
});

test('our own table, as it is downloaded, changes nothing', async () => {
	const { db, ask } = await setup();
	const csv = toCsv(dataRows(await listStates(db)));
	const { changes, same, computed } = await ask(api.importFigures, { csv });
	expect({ changes, same, computed }).toEqual({ changes: [], same: 1400, computed: 100 });
});

test('a figure that is taken for a formula stays a text on the way out and in', async () => {
	const { db, ask, ohio } = await setup();
	const { figures } = await ohio();
	await ask(api.update, {
		slug: 'ohio',
		figures: figures.map((one) => ({
			...one,
			source: '=HYPERLINK("x")',
			link: 'https://x.test/a',
		})),
	});
	const csv = toCsv(dataRows(await listStates(db)));
	expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
	expect((await ask(api.importFigures, { csv })).changes).toEqual([]);
});

test.each([
	['Ohioo;ohioo;OO;x;;1;;S;2024', 'Row 2 names a state that there is not: “ohioo”.'],
	['Ohio;texas;;x;;1;;S;2024', 'Row 2 names two states: Texas and Ohio.'],
	[`;;;${JOBS};;1;;S;2024`, 'Row 2 names no state.'],
	['Ohio;;;moon;;1;;S;2024', 'Row 2 names a figure that there is not: “moon”.'],
	[`Ohio;;;${JOBS};;1;people;S;2024`, 'Row 2 counts people, but'],
	[`Ohio;;;${JOBS};;12,34;;S;2024`, 'Row 2 has no number that can be read: “12,34”.'],
	[`Ohio;;;${JOBS};;1,2E+07;;S;2024`, 'Row 2 has no number that can be read'],
	[`Ohio;;;${JOBS};;-5;;S;2024`, 'Row 2 has no number that can be read'],
	[`Ohio;;;dataScientists.jobsPer1000;;7,725;;S;2024`, 'Write 0.852, with a point'],
	[`Ohio;;;${JOBS};;5;;;2024`, 'Row 2 has no source that can be used: please fill this in.'],
	[`Ohio;;;${JOBS};;5;;S;soon`, 'Row 2 has no date (as_of) that can be used: use a year'],
	[`Ohio;;;${JOBS};;5;;S;2024;more`, 'Row 2 has more cells than the first row.'],
	[`Ohio;;;${JOBS};;5;;S;2024\r\nOhio;;;${JOBS};;6;;S;2024`, 'Row 3 says something else of'],
])('the table with %s is refused with a sentence', async (row, message) => {
	const { ask } = await setup();
	await expect(ask(api.importFigures, { csv: excel([row]) })).rejects.toMatchObject({
		code: 'validation',
		fields: { csv: expect.stringContaining(message) as string },
	});
});

test.each([
	['state,figure,value,source,as_of,color\r\n', 'Row 1 names a column that there is not: “color”.'],
	['state,figure,value,source\r\n', 'Row 1 lacks the column “as_of”.'],
	['figure,value,source,as_of\r\n', 'Row 1 lacks the column “state”'],
	['state,figure,value,value,source,as_of\r\n', 'Row 1 has the column “value” twice.'],
	['state,figure,value,source,as_of\r\n', 'There are no rows in this table.'],
	['\r\n\r\n', 'There are no rows in this table.'],
	['PK\u0003\u0004\u0000binary', 'Row 1 names a column that there is not'],
])('the table %j is refused with a sentence', async (csv, message) => {
	const { ask } = await setup();
	await expect(ask(api.importFigures, { csv })).rejects.toMatchObject({
		code: 'validation',
		fields: { csv: expect.stringContaining(message) as string },
	});
});

test('a changed file is offered and never taken by itself; kept or taken, it is offered no longer', async () => {
	const { db, ask, ohio, shown } = await setup();
	const before = await shown();
	// As if the file had been another one when it was seeded.
	const older = async () => {
		await db.update(states).set({ capital: 'Chillicothe' }).where(eq(states.slug, 'ohio'));
		await db.update(meta).set({ value: 'older' }).where(eq(meta.key, 'file:state/ohio'));
		await seedContent(db, unrendered);
	};
	await older();
	expect(await ohio()).toMatchObject({ capital: 'Chillicothe', offer: { capital: 'Columbus' } });
	const offered = (await ask(api.list, {})).filter((row) => row.offered);
	expect(offered.map(({ slug }) => slug)).toEqual(['ohio']);
	const kept = await ask(api.update, { slug: 'ohio', settled: true });
	expect(kept).toMatchObject({ capital: 'Chillicothe', offer: null });
	await seedContent(db, unrendered);
	expect((await ohio()).offer).toBeNull();
	await ask(undoAction, { token: kept.undo! });
	const { offer } = await ohio();
	const taken = await ask(api.update, { slug: 'ohio', ...offer!, settled: true });
	expect(taken).toMatchObject({ capital: 'Columbus', offer: null });
	expect((await shown()).slice(0, 2)).toEqual(before.slice(0, 2));
});

test('a site that was seeded before files were compared is offered only what differs', async () => {
	const { db, ask } = await setup();
	await db.delete(meta).where(like(meta.key, 'file:%'));
	// The parts of a figure were in another order.
	await db.run(sql`update states set figures = (select json_group_array(json_object('asOf', value ->> '$.asOf',
		'source', value ->> '$.source', 'unit', value ->> '$.unit', 'value', value ->> '$.value',
		'label', value ->> '$.label', 'link', value ->> '$.link', 'key', value ->> '$.key')) from json_each(states.figures))`);
	await db.update(states).set({ capital: 'Edited' }).where(eq(states.slug, 'texas'));
	expect(await seedContent(db, unrendered)).toBe(0);
	const offered = (await ask(api.list, {})).filter((row) => row.offered);
	expect(offered.map(({ slug }) => slug)).toEqual(['texas']);
});

test('figures of years that a file does not have are none of its business', async () => {
	const { db, ask, ohio } = await setup();
	const figures = withYear(await ohio(), '2024-05', { [JOBS]: 6000 });
	await ask(api.update, { slug: 'ohio', figures });
	await db.update(meta).set({ value: 'older' }).where(eq(meta.key, 'file:state/ohio'));
	await seedContent(db, unrendered);
	expect((await ohio()).offer).toBeNull();
	await ask(api.update, { slug: 'ohio', capital: 'Dayton' });
	await db.update(meta).set({ value: 'older' }).where(eq(meta.key, 'file:state/ohio'));
	await seedContent(db, unrendered);
	const { offer, figures: mine } = await ohio();
	expect(offer).toMatchObject({ capital: 'Columbus', figures: mine });
});

test('an emptied site gets the guides that come with the program back, all or some of them, and undone they go', async () => {
	const { db, ask, shown } = await setup();
	const before = await shown();
	expect(await ask(api.listShipped, {})).toEqual([]);
	await db.delete(states);
	const shipped = await ask(api.listShipped, {});
	expect(shipped).toHaveLength(50);
	expect(shipped.find(({ slug }) => slug === 'ohio')).toMatchObject({
		...{ name: 'Ohio', aiJobs: 6380, averageSalary: 108003, years: ['2025', '2023', '2020'] },
		description: expect.stringContaining('Ohio State'),
	});

	const one = await ask(api.addStates, { slugs: ['ohio'] });
	expect(one.names).toEqual(['Ohio']);
	expect((await ask(api.listShipped, {})).map(({ slug }) => slug)).not.toContain('ohio');
	await expect(ask(api.addStates, { slugs: ['ohio', 'texas'] })).rejects.toMatchObject({
		code: 'validation',
		fields: { slugs: '“ohio” is on the site by now, or no file has it.' },
	});
	await expect(ask(api.addStates, { slugs: ['atlantis'] })).rejects.toMatchObject({
		code: 'validation',
	});
	expect(await db.$count(states)).toBe(1);

	const rest = (await ask(api.listShipped, {})).map(({ slug }) => slug);
	const all = await ask(api.addStates, { slugs: rest });
	const withoutDates = (texts: unknown) =>
		JSON.stringify(texts).replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, '');
	expect(withoutDates(await shown())).toBe(withoutDates(before));
	const log = await db.select().from(auditLog).where(eq(auditLog.action, 'added'));
	expect(log).toMatchObject([{ detail: '“Ohio”' }, { detail: '49 states' }]);

	// What somebody has written in meanwhile stays.
	await ask(api.update, { slug: 'texas', capital: 'Austin, Texas' });
	await ask(undoAction, { token: all.undo });
	expect((await ask(api.list, {})).map(({ slug }) => slug)).toEqual(['ohio', 'texas']);
	await ask(undoAction, { token: one.undo });
	expect((await ask(api.list, {})).map(({ slug }) => slug)).toEqual(['texas']);
});

test('a state is deleted with its earlier versions, comes back as it was, and can be added anew', async () => {
	const { db, ask, ohio } = await setup();
	await ask(api.update, { slug: 'ohio', capital: 'Columbus, Ohio' });
	const stored = await ohio();
	const { undo } = await ask(api.deleteState, { slug: 'ohio' });
	expect(await db.$count(states)).toBe(49);
	await expect(ask(api.deleteState, { slug: 'ohio' })).rejects.toMatchObject({ code: 'not_found' });
	await ask(undoAction, { token: undo });
	expect(await ohio()).toEqual(stored);
	expect(await ask(api.listRevisions, { slug: 'ohio' })).toHaveLength(1);

	const gone = await ask(api.deleteState, { slug: 'ohio' });
	// The files have it.
	expect(await ask(api.listShipped, {})).toMatchObject([{ slug: 'ohio' }]);
	const added = await ask(api.addStates, { slugs: ['ohio'] });
	await expect(ask(undoAction, { token: gone.undo })).rejects.toMatchObject({
		code: 'conflict',
		message: 'There is “Ohio” again by now. Undo or delete that first.',
	});
	await ask(undoAction, { token: added.undo });
	await ask(undoAction, { token: gone.undo });
	expect(await ohio()).toEqual(stored);
});
