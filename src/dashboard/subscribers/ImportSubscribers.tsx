import { useMemo, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { textOfSheet } from '#src/dashboard/kit/sheet.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { importSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import {
	CONSENT_MISSING,
	IMPORT_CHARACTERS,
	IMPORT_ROWS,
	guessMapping,
	readSheet,
	readSubscribers,
	type ImportField,
	type ImportReport,
	type ImportRow,
	type Mapping,
	type RowError,
	type Sheet,
} from '#src/features/newsletter/subscribers.ts';

const FIELDS: [ImportField, string][] = [
	['email', 'Email'],
	['name', 'First name'],
	['lastName', 'Last name'],
	['source', 'Source'],
	['active', 'Active or not'],
	['createdAt', 'Since'],
	['leftAt', 'Left at'],
	['consent', 'Consent'],
];
const REPORT: [keyof ImportReport, string][] = [
	['added', 'new'],
	['completed', 'known, and completed with what was missing'],
	['unchanged', 'known, and as they were'],
	['reactivated', 'had left, and are active again'],
	['keptAway', 'had left, and stay away'],
];
const ERRORS_SHOWN = 50;

type Step =
	| { step: 'file' }
	| { step: 'mapping' }
	| { step: 'preview'; report: ImportReport }
	| { step: 'done'; report: ImportReport };

type Props = {
	onDone: () => void;
	onClose: () => void;
	/** An import begins or ends. */
	onRunning: (running: boolean) => void;
};

/** A CSV file becomes subscribers: choose it, say which column is what, see what will happen, import. */
export function ImportSubscribers({ onDone, onClose, onRunning }: Props) {
	const [step, setStep] = useState<Step>({ step: 'file' });
	const [sheet, setSheet] = useState<Sheet>({ header: [], rows: [] });
	const [mapping, setMapping] = useState<Mapping>(() => guessMapping([]));
	const [reactivate, setReactivate] = useState(false);
	const [consent, setConsent] = useState('');
	const [error, setError] = useState('');
	const [consentError, setConsentError] = useState('');
	const consentRef = useRef<HTMLInputElement>(null);
	const [progress, setProgress] = useState<number>();
	const { subscribers, errors, duplicates } = useMemo(
		() => readSubscribers(sheet, mapping),
		[sheet, mapping],
	);

	const busy = progress !== undefined;
	const current = useRef(subscribers);
	current.current = subscribers;

	async function open(file: File | undefined) {
		if (!file) return;
		setError('');
		if (file.size > IMPORT_CHARACTERS)
			return setError('This file is too long: split it and try again.');
		const next = readSheet(textOfSheet(await file.arrayBuffer()));
		if (next.rows.length === 0) setError('There are no rows in this file.');
		else {
			setSheet(next);
			setMapping(guessMapping(next.header));
			setStep({ step: 'mapping' });
		}
	}

	async function run(preview: boolean, again = reactivate) {
		if (busy) return;
		setError('');
		setConsentError('');
		setProgress(0);
		onRunning(!preview);
		try {
			const report = await inParts(
				subscribers,
				{ reactivate: again, consent, preview },
				setProgress,
			);
			// Another file or column was chosen meanwhile: it is not what would be imported.
			if (preview && current.current !== subscribers) return;
			setStep({ step: preview ? 'preview' : 'done', report });
			if (!preview) onDone();
		} catch (problem) {
			const reason = problem instanceof AppError ? messageOf(problem) : String(problem);
			setError(
				preview ? reason : `${reason} What was imported stays; import the file again to go on.`,
			);
		} finally {
			setProgress(undefined);
			onRunning(false);
		}
	}

	function store(report: ImportReport) {
		if (report.unstated === 0 || consent.trim()) return void run(false);
		setConsentError(CONSENT_MISSING);
		consentRef.current?.focus();
	}

	const failure = error && (
		<p role="alert" className="field-error">
			{error}
		</p>
	);
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
					<p className="text-muted">{plural(sheet.rows.length, 'row')}. Which column holds what?</p>
					<div className="grid gap-3 sm:grid-cols-2">
						{FIELDS.map(([field, label]) => (
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
						))}
					</div>
					{mapping.email >= 0 && <Problems errors={errors} duplicates={duplicates} />}
					{failure}
					<p className="flex flex-wrap gap-3">
						<Button
							disabled={mapping.email < 0 || subscribers.length === 0}
							busy={busy}
							onClick={() => void run(true)}
						>
							{busy ? 'Checking…' : `Check ${plural(subscribers.length, 'address', 'addresses')}`}
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
					<label className="flex items-center gap-3">
						<input
							type="checkbox"
							checked={reactivate}
							disabled={busy}
							onChange={(event) => {
								const on = event.currentTarget.checked;
								setReactivate(on);
								void run(true, on);
							}}
						/>
						Make people active again who had left. Only where they asked for it.
					</label>
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
					<Problems errors={errors} duplicates={duplicates} />
					{failure}
					<p className="flex flex-wrap gap-3">
						<Button busy={busy} onClick={() => store(step.report)}>
							{busy ? `${formatCount(progress)} of ${formatCount(subscribers.length)}…` : 'Import'}
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
					<Problems errors={errors} duplicates={duplicates} />
					<Button className="justify-self-start" onClick={onClose}>
						Done
					</Button>
				</div>
			);
	}
}

function Report({ report }: { report: ImportReport }) {
	return (
		<ul className="import-report">
			{REPORT.filter(([key]) => report[key] > 0).map(([key, words]) => (
				<li key={key}>
					<strong>{formatCount(report[key])}</strong> {words}
				</li>
			))}
		</ul>
	);
}

function Problems({ errors, duplicates }: { errors: RowError[]; duplicates: number }) {
	return (
		<>
			{duplicates > 0 && (
				<p className="text-muted">
					{plural(duplicates, 'row repeats', 'rows repeat')} an address and{' '}
					{duplicates === 1 ? 'is' : 'are'} merged with its first row.
				</p>
			)}
			{errors.length > 0 && (
				<details open={errors.length <= 5}>
					<summary className="cursor-pointer text-danger">
						{plural(errors.length, 'row')} cannot be imported and will be left out
					</summary>
					<ul className="import-errors">
						{errors.slice(0, ERRORS_SHOWN).map(({ line, value, message }) => (
							<li key={line}>
								<span className="label">Line {line}</span> {value && <code>{value}</code>} {message}
							</li>
						))}
						{errors.length > ERRORS_SHOWN && <li>and {errors.length - ERRORS_SHOWN} more</li>}
					</ul>
				</details>
			)}
		</>
	);
}

/** Sends a long list in parts, and adds up what they did. */
async function inParts(
	rows: ImportRow[],
	options: { reactivate: boolean; consent: string; preview: boolean },
	onProgress: (done: number) => void,
): Promise<ImportReport> {
	const total = {
		...{ added: 0, completed: 0, unchanged: 0, keptAway: 0, reactivated: 0 },
		unstated: 0,
	};
	for (let start = 0; start < rows.length; start += IMPORT_ROWS) {
		const part = rows.slice(start, start + IMPORT_ROWS);
		const report = await callAsAdmin(importSubscribers, { rows: part, ...options });
		for (const key of Object.keys(total) as (keyof ImportReport)[]) total[key] += report[key];
		onProgress(start + part.length);
	}
	return total;
}
