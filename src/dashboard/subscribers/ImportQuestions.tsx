import { Field } from '#src/components/ui/Field.tsx';
import { isOpen, isOptional, keyOf, type Answers } from '#src/features/newsletter/files/read.ts';
import { STANDINGS, type Standing } from '#src/features/newsletter/files/words.ts';
import { formatCount, joinWithAnd, plural } from '#src/lib/text.ts';
import type { Summary } from './subscriber-reader.ts';

const STANDING_WORDS: Record<Standing, string> = {
	active: 'active',
	left: 'left or inactive',
	bounced: 'bounced',
	blocked: 'blocked',
	unconfirmed: 'never confirmed',
};
const OPTIONS = STANDINGS.map((value) => ({ value, label: capital(STANDING_WORDS[value]) }));
const UNDECIDED = { value: '', label: 'Please choose' };

type Props = { summary: Summary; answers: Answers; onAnswer: (answers: Answers) => void };

/** Shows who gets letters, as the file says it, and asks about what is not understood. */
export function ImportQuestions({ summary, answers, onAnswer }: Props) {
	const { states, everybody } = summary;
	const isAsked = everybody !== null || answers.everybody !== undefined;
	return (
		<section className="grid gap-3" aria-label="Who gets letters">
			{!isOpen(summary, answers) && <Standings summary={summary} />}
			{isAsked && (
				<Field
					label="Everybody in this file"
					type="select"
					hint={
						everybody === undefined
							? 'Mailchimp exports several files of the same columns. Which one is this?'
							: 'Taken from the name of the file.'
					}
					value={answers.everybody ?? everybody ?? ''}
					options={[
						...(everybody === undefined ? [UNDECIDED] : []),
						...OPTIONS.map((one) =>
							one.value === 'active' ? { ...one, label: 'As the columns say, else active' } : one,
						),
					]}
					onChange={({ currentTarget: { value } }) =>
						onAnswer({ ...answers, everybody: value as Standing })
					}
				/>
			)}
			{(summary.asksDateOrder || answers.dateOrder) && (
				<Field
					label="Dates such as 05/01/2023"
					type="select"
					value={answers.dateOrder ?? ''}
					options={[
						...(answers.dateOrder ? [] : [UNDECIDED]),
						{ value: 'day', label: '5 January: the day first' },
						{ value: 'month', label: 'May 1: the month first' },
					]}
					onChange={({ currentTarget: { value } }) =>
						onAnswer({ ...answers, dateOrder: value as 'day' | 'month' })
					}
				/>
			)}
			{states.map((state) => {
				const { column, label, known, unknown, others } = state;
				if (unknown.length === 0) {
					return (
						<p key={column} className="text-muted">
							Read from the column “{label}”{states.length > 1 && `: ${listOf(known)}`}.
						</p>
					);
				}
				return (
					<fieldset key={column} className="grid gap-3">
						<legend>
							“{label}” holds words that are not understood. What do they say about letters?
						</legend>
						{isOptional(state) && (
							<label className="flex items-center gap-3">
								<input
									type="checkbox"
									checked={false}
									onChange={() =>
										onAnswer({ ...answers, ignored: [...(answers.ignored ?? []), column] })
									}
								/>
								This column says nothing about letters
							</label>
						)}
						{unknown.map(({ value, count }) => (
							<Field
								key={value}
								label={`${value === '' ? 'Nothing' : `“${value}”`} (${plural(count, 'row')})`}
								type="select"
								value={answers.values?.[keyOf(column, value)] ?? ''}
								options={[UNDECIDED, ...OPTIONS]}
								onChange={({ currentTarget }) =>
									onAnswer({
										...answers,
										values: {
											...answers.values,
											[keyOf(column, value)]: currentTarget.value as Standing,
										},
									})
								}
							/>
						))}
						{others.values > 0 && (
							<Field
								label={`${plural(others.values, 'other word')} (${plural(others.rows, 'row')})`}
								type="select"
								value={answers.others?.[column] ?? ''}
								options={[UNDECIDED, ...OPTIONS]}
								onChange={({ currentTarget: { value } }) =>
									onAnswer({
										...answers,
										others: { ...answers.others, [column]: value as Standing },
									})
								}
							/>
						)}
					</fieldset>
				);
			})}
			{summary.dropped.length > 0 && (
				<p className="break-words text-muted">
					Not taken: {joinWithAnd(summary.dropped.map((name) => name || 'a column without a name'))}
					.
				</p>
			)}
		</section>
	);
}

/** How many are active in the file, how many not and why, and how many rows are refused. */
export function Standings({ summary }: { summary: Summary }) {
	return (
		<p>
			In this file: <strong>{formatCount(summary.standings.active)}</strong> active
			{countsOfInactive(summary)}
			{refusedWords(summary)}.
		</p>
	);
}

function countsOfInactive({ standings }: Summary): string {
	const { active: _, ...inactive } = standings;
	const said = listOf(inactive);
	return said && `, ${said}`;
}

function refusedWords({ refused }: Summary): string {
	const rows = refused.reduce((sum, { count }) => sum + count, 0);
	return rows > 0 ? `, ${plural(rows, 'row')} refused` : '';
}

const listOf = (counts: Partial<Record<Standing, number>>) =>
	STANDINGS.filter((standing) => counts[standing])
		.map((standing) => `${formatCount(counts[standing]!)} ${STANDING_WORDS[standing]}`)
		.join(', ');

function capital(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}
