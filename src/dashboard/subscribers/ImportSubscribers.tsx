import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import type { ImportRun } from '#src/core/imports/run.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { randomId } from '#src/lib/random-id.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import {
	guessFields,
	type ImportField,
	type Mapping,
} from '#src/features/newsletter/files/columns.ts';
import { isOpen, type Answers } from '#src/features/newsletter/files/read.ts';
import { importSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import {
	CONSENT_MISSING,
	IMPORT_CHARACTERS,
	IMPORT_ROWS,
	type ImportReport,
} from '#src/features/newsletter/subscribers.ts';
import { ImportQuestions, Standings } from './ImportQuestions.tsx';
import { SubscriberReader, type Summary } from './subscriber-reader.ts';

const FIELDS: [ImportField, string][] = [
	['email', 'Email'],
	['name', 'First name'],
	['lastName', 'Last name'],
	['source', 'Source'],
	['active', 'Active or not'],
	['createdAt', 'Since'],
	['leftAt', 'Left at'],
	['consent', 'Consent'],
	['labels', 'Labels'],
];
/** No column. */
const NONE = new Set([-1]);
const REPORT: [keyof ImportReport, string][] = [
	['added', 'new'],
	['completed', 'known, and completed with what was missing'],
	['unchanged', 'known, and not changed'],
	['reactivated', 'had left, and made active again'],
	['left', 'known, and left by this file: inactive from now on'],
	['keptAway', 'had left, and not made active'],
];

type Step =
	| { step: 'file' }
	| { step: 'mapping' }
	| { step: 'preview'; report: ImportReport }
	| { step: 'done'; report: ImportReport; run: ImportRun };

type Props = {
	onDone: () => void;
	onClose: () => void;
	/** An import begins or ends. */
	onRunning: (running: boolean) => void;
	/** The import with this id is to be undone. */
	onUndo: (id: string) => void;
};

/** A CSV file becomes subscribers: choose it, say which column is what, see what will happen, import. */
export function ImportSubscribers({ onDone, onClose, onRunning, onUndo }: Props) {
	const [reader] = useState(() => new SubscriberReader());
	useEffect(() => reader.close, [reader]);
	const [step, setStep] = useState<Step>({ step: 'file' });
	/** One file's way in, sent again where it broke off. */
	const [run, setRun] = useState<ImportRun>();
	const [sheet, setSheet] = useState<{ header: string[]; rows: number }>({ header: [], rows: 0 });
	const [mapping, setMapping] = useState<Mapping>(() => guessFields([]));
	const [answers, setAnswers] = useState<Answers>({});
	const [reactivate, setReactivate] = useState(false);
	const [consent, setConsent] = useState('');
	const [error, setError] = useState('');
	const [consentError, setConsentError] = useState('');
	const consentRef = useRef<HTMLInputElement>(null);
	const [progress, setProgress] = useState<number>();
	const key = run ? JSON.stringify([run.id, mapping, answers]) : null;
	const reading = useAsync(key, () => reader.read(mapping, answers));
	const summary = reading.loading ? undefined : reading.data;
	const busy = progress !== undefined;
	const current = useRef(key);
	current.current = key;

	async function open(file: File | undefined) {
		if (!file) return;
		setError('');
		if (file.size > IMPORT_CHARACTERS)
			return setError('This file is too long: split it and try again.');
		try {
			const { mapping: guessed, ...opened } = await reader.open(file);
			if (opened.rows === 0) return setError('There are no rows in this file.');
			setSheet(opened);
			setMapping(guessed);
			setAnswers({});
			setRun({ id: randomId(), name: file.name, kind: 'Subscribers' });
			setStep({ step: 'mapping' });
		} catch (problem) {
			setError((problem as Error).message);
		}
	}

	async function send(preview: boolean, again = reactivate) {
		if (busy || !summary || !run) return;
		setError('');
		setConsentError('');
		setProgress(0);
		onRunning(!preview);
		try {
			const total: ImportReport = {
				...{ added: 0, completed: 0, unchanged: 0, keptAway: 0, reactivated: 0 },
				...{ left: 0, unstated: 0 },
			};
			for (let start = 0; start < summary.people; start += IMPORT_ROWS) {
				const rows = await reader.part(start, IMPORT_ROWS);
				const options = { reactivate: again, consent, preview, run };
				const report = await callAsAdmin(importSubscribers, { rows, ...options });
				for (const [name] of REPORT) total[name] = (total[name] ?? 0) + (report[name] ?? 0);
				total.unstated += report.unstated;
				// Another file or column was chosen meanwhile: it is not what would be imported.
				if (preview && current.current !== key) return;
				setProgress(start + rows.length);
			}
			setStep(preview ? { step: 'preview', report: total } : { step: 'done', report: total, run });
			if (!preview) onDone();
		} catch (problem) {
			const reason = problem instanceof AppError ? messageOf(problem) : String(problem);
			setError(
				preview ? reason : `${reason} What was imported stays; press Import again to go on.`,
			);
		} finally {
			setProgress(undefined);
			onRunning(false);
		}
	}

	function store(report: ImportReport) {
		if (report.unstated === 0 || consent.trim()) return void send(false);
		setConsentError(CONSENT_MISSING);
		consentRef.current?.focus();
	}

	/** Whether columns are left for fields that have none. */
	const hasMore = new Set(Object.values(mapping)).difference(NONE).size < sheet.header.length;
	const failure = <FieldError>{error}</FieldError>;
	switch (step.step) {
		case 'file':
			return (
				<div className="grid gap-4">
					<p className="text-muted">
						A CSV file with one address in each row. Its first line names the columns. Nobody is
						sent an email.
					</p>
					<div className="field">
						<label htmlFor="subscribers-file">CSV file</label>
						<input
							id="subscribers-file"
							type="file"
							accept=".csv,text/csv,text/plain"
							onChange={(event) => void open(event.currentTarget.files?.[0])}
						/>
					</div>
					{failure}
				</div>
			);
		case 'mapping':
			return (
				<div className="grid gap-4">
					<p className="text-muted">{plural(sheet.rows, 'row')}. Which column holds what?</p>
					<div className="grid gap-3 sm:grid-cols-2">
						{FIELDS.filter(([field]) => hasMore || mapping[field] >= 0 || field === 'email').map(
							([field, label]) => (
								<Field
									key={field}
									label={label}
									type="select"
									value={String(mapping[field])}
									onChange={(event) =>
										setMapping({ ...mapping, [field]: Number(event.currentTarget.value) })
									}
									options={[
										{ value: '-1', label: field === 'email' ? 'Choose a column' : 'None' },
										...sheet.header.map((name, index) => ({
											value: String(index),
											label: name || `Column ${index + 1}`,
										})),
									]}
								/>
							),
						)}
					</div>
					{mapping.email >= 0 && summary && (
						<>
							<ImportQuestions summary={summary} answers={answers} onAnswer={setAnswers} />
							{!isOpen(summary, answers) && <Problems summary={summary} />}
						</>
					)}
					<LoadError what="The file" error={reading.error} reload={reading.reload} />
					{failure}
					<p className="flex flex-wrap gap-3">
						<Button
							disabled={
								mapping.email < 0 || !summary || summary.people === 0 || isOpen(summary, answers)
							}
							busy={busy}
							onClick={() => void send(true)}
						>
							{busy
								? `Checking: ${formatCount(progress)} of ${formatCount(summary?.people ?? 0)}…`
								: summary
									? `Check ${plural(summary.people, 'address', 'addresses')}`
									: 'Reading…'}
						</Button>
						<Button variant="quiet" onClick={() => setStep({ step: 'file' })}>
							Another file
						</Button>
					</p>
				</div>
			);
		case 'preview':
			return (
				<div className="grid gap-4">
					<p>What this import will do:</p>
					<Report report={step.report} />
					{summary && <Standings summary={summary} />}
					{(reactivate || step.report.keptAway > 0) && (
						<label className="flex items-center gap-3">
							<input
								type="checkbox"
								checked={reactivate}
								disabled={busy}
								onChange={(event) => {
									const on = event.currentTarget.checked;
									setReactivate(on);
									void send(true, on);
								}}
							/>
							Make people active again who had left. Only where they asked for it.
						</label>
					)}
					{step.report.unstated > 0 && (
						<Field
							ref={consentRef}
							label="How did they agree to get your letters?"
							hint={`The file does not say it of ${plural(step.report.unstated, 'address', 'addresses')}. Kept with each of them, and told to whoever asks for their data.`}
							error={consentError || undefined}
							required
							placeholder="Signed up for the newsletter at old.example, 2024"
							maxLength={300}
							value={consent}
							onChange={(event) => {
								setConsentError('');
								setConsent(event.currentTarget.value);
							}}
						/>
					)}
					{summary && <Problems summary={summary} />}
					{failure}
					<p className="flex flex-wrap gap-3">
						<Button busy={busy} onClick={() => store(step.report)}>
							{busy
								? `${formatCount(progress)} of ${formatCount(summary?.people ?? 0)}…`
								: 'Import'}
						</Button>
						<Button variant="quiet" disabled={busy} onClick={() => setStep({ step: 'mapping' })}>
							Back
						</Button>
					</p>
				</div>
			);
		case 'done':
			return (
				<div className="grid gap-4">
					<p role="status" className="font-semibold">
						Imported.
					</p>
					<Report report={step.report} />
					{summary && <Problems summary={summary} />}
					<p className="flex flex-wrap gap-3">
						<Button onClick={onClose}>Done</Button>
						<Button variant="quiet" onClick={() => onUndo(step.run.id)}>
							Undo this import
						</Button>
					</p>
				</div>
			);
	}
}

function Report({ report }: { report: ImportReport }) {
	return (
		<ul className="import-report">
			{REPORT.filter(([key]) => report[key]).map(([key, words]) => (
				<li key={key}>
					<strong>{formatCount(report[key] ?? 0)}</strong> {words}
				</li>
			))}
		</ul>
	);
}

function Problems({ summary: { errors, refused, duplicates } }: { summary: Summary }) {
	const count = refused.reduce((sum, one) => sum + one.count, 0);
	return (
		<>
			{duplicates > 0 && (
				<p className="text-muted">
					{plural(duplicates, 'row repeats', 'rows repeat')} an address and{' '}
					{duplicates === 1 ? 'is' : 'are'} merged with its first row.
				</p>
			)}
			{count > 0 && (
				<details open={count <= 5}>
					<summary className="cursor-pointer text-danger">
						{plural(count, 'row')} cannot be imported and will be left out
					</summary>
					<ul className="import-errors">
						{count > errors.length &&
							refused.map(({ message, count: rows }) => (
								<li key={message}>
									{plural(rows, 'row')}: {message}
								</li>
							))}
						{errors.map(({ line, value, message }) => (
							<li key={line}>
								<span className="label">Line {line}</span> {value && <code>{value}</code>} {message}
							</li>
						))}
						{count > errors.length && <li>and {formatCount(count - errors.length)} more</li>}
					</ul>
				</details>
			)}
		</>
	);
}
