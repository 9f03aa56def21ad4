import { expect, test } from 'vitest';
import { seedContent, unrendered } from '#tests/support/seed.ts';
import { useTestDb } from '#tests/support/db.ts';
import { dataRows, toCsv, toJson } from './data.ts';
import type { Figure, State } from './state.ts';
import { listStates } from './states.server.ts';

async function seeded(): Promise<State[]> {
	const db = await useTestDb();
	await seedContent(db, unrendered);
	return listStates(db);
}

/** A reader of RFC 4180 that shares nothing with the writer. */
function readCsv(text: string): string[][] {
	const rows: string[][] = [[]];
	const token = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
	for (let match; (match = token.exec(text));) {
		const [, raw = '', end] = match;
		rows.at(-1)!.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
		if (end === '\r\n') rows.push([]);
	}
	expect(rows.pop()).toEqual([]);
	return rows;
}

test('the table has each figure of each state once, with source, date and the address of the source', async () => {
	const states = await seeded();
	const [head, ...lines] = readCsv(toCsv(dataRows(states)));
	expect(head).toEqual(
		'state,slug,abbreviation,figure,label,value,unit,source,as_of,link'.split(','),
	);
	expect(lines).toHaveLength(states.reduce((sum, { figures }) => sum + figures.length + 2, 0));
	expect(new Set(lines.map(([, slug, , key]) => `${slug} ${key}`)).size).toBe(lines.length);
	for (const line of lines) {
		expect(line).toHaveLength(10);
		expect(line[7], line.join()).not.toBe('');
		expect(line[8], line.join()).toMatch(/^\d{4}-\d\d(-\d\d)?$/);
		expect(line[9], line.join()).toMatch(/^https:\/\/www\.(?:bls|census)\.gov\//);
	}
});

test('what is read back from the table is what the database has', async () => {
	const states = await seeded();
	const lines = readCsv(toCsv(dataRows(states))).slice(1);
	for (const { slug, aiJobs, averageSalary, figures } of states) {
		const values = new Map(
			lines
				.filter((line) => line[1] === slug)
				.map((line) => [line[3], line[5] === '' ? null : Number(line[5])]),
		);
		expect(values.get('aiJobs')).toBe(aiJobs);
		expect(values.get('averageSalary')).toBe(averageSalary);
		for (const { key, value } of figures) expect(values.get(key), key).toBe(value);
	}
	const wyoming = lines.find(([, slug, , key]) => slug === 'wyoming' && key === 'aiJobs');
	expect(wyoming?.[5]).toBe('');
});

test('commas, quotes and line breaks survive the table', () => {
	const figure = {
		key: 'k',
		label: 'One, "two"\r\nthree',
		value: null,
		unit: 'jobs',
		source: 'S',
		asOf: '2023-05',
	} satisfies Figure;
	const text = toCsv([{ state: 'X', slug: 'x', abbreviation: 'XX', ...figure }]);
	expect(readCsv(text)[1]).toEqual([
		'X',
		'x',
		'XX',
		'k',
		'One, "two"\r\nthree',
		'',
		'jobs',
		'S',
		'2023-05',
	]);
});

test('the JSON has fifty states with the same figures', async () => {
	const states = await seeded();
	const { states: list } = JSON.parse(toJson(states)) as {
		states: { slug: string; figures: Figure[] }[];
	};
	expect(list.map(({ slug }) => slug)).toEqual(states.map(({ slug }) => slug));
	for (const [index, { figures }] of list.entries()) {
		expect(figures.slice(2)).toEqual(states[index]!.figures);
		expect(figures[0]).toMatchObject({ key: 'aiJobs', value: states[index]!.aiJobs });
		expect(figures[0]!.source).toContain('Bureau of Labor Statistics');
	}
});
