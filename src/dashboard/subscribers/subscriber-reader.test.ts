import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOpen, keyOf, type Answers } from '#src/features/newsletter/files/read.ts';
import { STANDINGS } from '#src/features/newsletter/files/words.ts';
import { answerReader, type Opened, type Summary } from './subscriber-reader.ts';

/** Words of known services, empty cells, numbers, signs, and whatever else may stand in a cell. */
const word = fc.oneof(
	{
		weight: 2,
		arbitrary: fc.constantFrom('active', 'Unsubscribed', 'cleaned', 'yes', '0', '', '-'),
	},
	{ weight: 6, arbitrary: fc.string({ maxLength: 12 }) },
	{ weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
);
const row = fc.record({
	person: fc.integer({ min: 0, max: 60 }),
	isAddress: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
	words: fc.tuple(word, word),
});
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('no word of a column of states is refused unasked, and all rows are counted, whatever they say', async () => {
	let most = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(row, { minLength: 1, maxLength: 150, size: 'max' }),
			fc.array(fc.constantFrom(...STANDINGS), { minLength: 1 }),
			async (rows, standings) => {
				const lines = rows.map(({ person, isAddress, words }) =>
					[isAddress ? `r${person}@x.example` : `r${person}`, ...words].map(cell).join(','),
				);
				const text = ['email,status,subscribed', 'first@x.example,active,yes', ...lines].join('\n');
				const ask = answerReader();
				const opened = (await ask({ file: new File([text], 'list.csv') })) as Opened;
				expect(opened.rows).toBe(rows.length + 1);
				const read = async (given: Answers) =>
					(await ask({ mapping: opened.mapping, answers: given })) as Summary;
				const answers: Required<Pick<Answers, 'values' | 'others'>> = { values: {}, others: {} };
				let summary = await read(answers);
				const isUnasked = ({ message }: { message: string }) => message.includes('neither');
				expect(isOpen(summary, answers)).toBe(
					summary.states.some(({ unknown }) => unknown.length > 0),
				);
				if (summary.refused.some(isUnasked)) expect(isOpen(summary, answers)).toBe(true);
				let turn = 0;
				const next = () => standings[turn++ % standings.length]!;
				for (const { column, unknown, others } of summary.states) {
					most = Math.max(most, others.values);
					for (const { value } of unknown) answers.values[keyOf(column, value)] = next();
					if (others.values > 0) {
						expect(isOpen(summary, { ...answers, others: {} })).toBe(true);
						answers.others[column] = next();
					}
				}
				summary = await read(answers);
				expect(isOpen(summary, answers)).toBe(false);
				expect(summary.refused.filter(isUnasked)).toEqual([]);
				const refused = summary.refused.reduce((sum, { count }) => sum + count, 0);
				const people = Object.values(summary.standings).reduce((sum, count) => sum + count, 0);
				expect(people).toBe(summary.people);
				expect(people + summary.duplicates + refused).toBe(opened.rows);
			},
		),
		{ numRuns: 60, endOnFailure: true },
	);
	// More of them than are shown one by one.
	expect(most).toBeGreaterThan(10);
});
