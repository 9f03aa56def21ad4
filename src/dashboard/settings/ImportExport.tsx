import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { listCategories } from '#src/features/categories/categories.api.ts';
import { DownloadLink } from '#src/dashboard/kit/DownloadLink.tsx';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { importRedirects } from '#src/features/redirects/redirects.api.ts';
import { importSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { randomId } from '#src/lib/random-id.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { readInWorker } from '#src/features/import-export/read-in-worker.ts';
import { kindName, reportOf, type Group } from '#src/features/import-export/report.ts';
import { sendBundle, type Report, type Sender } from '#src/features/import-export/send.ts';
import { exportAll, importPart } from '#src/features/import-export/import-export.api.ts';
import type { ImportRun } from '#src/core/imports/run.ts';
import type { Bundle } from '#src/features/import-export/bundle.ts';
import { $undoing, $undone } from './undo.store.ts';
import { WholeArchive } from './WholeArchive.tsx';

const NOTHING = {};
const SHOWN = 100;

const sender: Sender = {
	part: (input) => callAsAdmin(importPart, input),
	subscribers: (rows, preview, importId) =>
		callAsAdmin(importSubscribers, { rows, preview, importId, reactivate: false }),
};

/** A file that was read, with what importing it would do or did. */
type Read = { bundle: Bundle; run: ImportRun; report: Report };
type Step =
	| { step: 'file' }
	| { step: 'working'; words: string; done: number; total: number; stop: () => void }
	| ({ step: 'preview'; isBegun: boolean } & Read)
	| ({ step: 'done' } & Read);

/** Brings in what other programs export, and puts everything out. */
export function ImportExport() {
	const [step, setStep] = useState<Step>({ step: 'file' });
	const [error, setError] = useState('');
	const [asDrafts, setAsDrafts] = useState(false);
	const [categoryId, setCategoryId] = useState('');
	const { answer: categories = [], ...choice } = useAnswer(listCategories, NOTHING);
	const category = categoryId || categories[0]?.id || '';

	/** Does something that takes a while, can be canceled, and ends with an answer in any case. */
	async function work(
		words: string,
		task: (
			signal: AbortSignal,
			onProgress: (words: string, done: number, total: number) => void,
		) => Promise<Step>,
		instead: (reason: string) => Step,
	) {
		const controller = new AbortController();
		setError('');
		const onProgress = (now: string, done: number, total: number) => {
			if (controller.signal.aborted) return;
			setStep({ step: 'working', words: now, done, total, stop: () => controller.abort() });
		};
		onProgress(words, 0, 0);
		try {
			setStep(await task(controller.signal, onProgress));
		} catch (problem) {
			setStep(instead(controller.signal.aborted ? 'Canceled.' : failureText(problem)));
		}
	}

	function send(
		bundle: Bundle,
		run: ImportRun,
		preview: boolean,
		signal: AbortSignal,
		onProgress: ReportProgress,
		into = category,
	) {
		const words = preview ? 'Looking what is new' : 'Importing';
		return sendBundle(
			bundle,
			{ run, preview, asDrafts, categoryId: into, signal },
			sender,
			(done, total) => onProgress(words, done, total),
		);
	}

	function open(file: File | undefined) {
		if (!file) return;
		void work(
			`Reading ${file.name}`,
			async (signal, onProgress) => {
				const bundle = await readInWorker(file, onProgress, signal);
				const run = { id: randomId(), name: file.name.slice(0, 500), kind: bundle.kind };
				// On a slow line a file is chosen before the list of categories has come.
				const into = category || ((await callAsAdmin(listCategories, NOTHING))[0]?.id ?? '');
				setCategoryId(into);
				const report = await send(bundle, run, true, signal, onProgress, into);
				return { step: 'preview', isBegun: false, bundle, run, report };
			},
			(reason) => {
				setError(reason);
				return { step: 'file' };
			},
		);
	}

	/** Shows what would happen with another category. */
	function look(from: Extract<Step, { step: 'preview' }>, into: string) {
		setCategoryId(into);
		const { bundle, run } = from;
		void work(
			'Looking what is new',
			async (signal, onProgress) => ({
				...from,
				report: await send(bundle, run, true, signal, onProgress, into),
			}),
			(reason) => {
				setError(reason);
				return from;
			},
		);
	}

	function store(from: Extract<Step, { step: 'preview' }>) {
		const { bundle, run } = from;
		void work(
			'Importing',
			async (signal, onProgress) => {
				const report = await send(bundle, run, false, signal, onProgress);
				return { step: 'done', bundle, run, report };
			},
			(reason) => {
				setError(
					`${reason} What was imported until then stays: import again to go on, or undo it.`,
				);
				return { ...from, isBegun: true };
			},
		);
	}

	function close() {
		setError('');
		setStep({ step: 'file' });
	}

	const gone = useStore($undone);
	useEffect(() => {
		setStep((now) => ('run' in now && now.run.id === gone ? { step: 'file' } : now));
	}, [gone]);

	const failure = <FieldError>{error}</FieldError>;
	return (
		<>
			<h2>Import and export</h2>
			<p className="mb-4 text-muted">
				Brings in what Ghost, WordPress, Substack or Notion exported (JSON, XML, HTML or zip), a zip
				of Markdown files, or what “Export everything” made. You see what will happen before
				anything is stored. Old addresses lead to the new ones, and the letter leaves out what was
				public before.
			</p>
			{step.step === 'file' && (
				<div className="grid gap-4">
					<div>
						<label className="button upload">
							Import a file
							<input
								type="file"
								accept=".zip,.json,.xml,.html,application/zip,application/json,text/xml,text/html"
								onChange={(event) => {
									open(event.currentTarget.files?.[0]);
									event.currentTarget.value = '';
								}}
							/>
						</label>
					</div>
					{failure}
					<h3 className="mt-4">Export</h3>
					<p className="text-muted">
						Articles, comments, subscribers and pictures, as Markdown and spreadsheets, for you and
						other programs. A site in use takes it in again.
					</p>
					<div>
						<DownloadLink href={exportAll.path}>Export everything</DownloadLink>
					</div>
				</div>
			)}
			{step.step === 'working' && (
				<div className="grid gap-3">
					<p role="status" className="label break-words">
						{step.words}
						{step.total > 0 && `: ${formatCount(step.done)} of ${formatCount(step.total)}`}…
					</p>
					<progress
						className="w-full"
						aria-label={step.words}
						{...(step.total > 0 && { value: step.done, max: step.total })}
					/>
					<Button variant="quiet" className="justify-self-start" onClick={step.stop}>
						Cancel
					</Button>
				</div>
			)}
			{step.step === 'preview' && (
				<div className="grid gap-4">
					<Summary {...step} />
					<Field
						label="Category of posts that name none of yours"
						type="select"
						value={category}
						options={categories.map(({ id, name }) => ({ value: id, label: name }))}
						onChange={(event) => look(step, event.currentTarget.value)}
					/>
					<LoadError what="Categories" {...choice} />
					<label className="flex items-center gap-3">
						<input
							type="checkbox"
							checked={asDrafts}
							onChange={(event) => setAsDrafts(event.currentTarget.checked)}
						/>
						Bring all posts in as drafts
					</label>
					{failure}
					<div className="flex flex-wrap gap-3">
						<Button onClick={() => store(step)}>Import</Button>
						<Button variant="quiet" onClick={close}>
							Cancel
						</Button>
						{step.isBegun && <UndoButton id={step.run.id} />}
					</div>
				</div>
			)}
			{step.step === 'done' && (
				<div className="grid gap-4">
					<p role="status" className="font-semibold">
						Imported.
					</p>
					<Summary {...step} />
					<Moved moved={step.bundle.moved} />
					<div className="flex flex-wrap gap-3">
						<Button onClick={close}>Done</Button>
						<UndoButton id={step.run.id} />
					</div>
				</div>
			)}
			{step.step === 'file' && <WholeArchive />}
		</>
	);
}

function UndoButton({ id }: { id: string }) {
	return (
		<Button variant="quiet" onClick={() => $undoing.set(id)}>
			Undo this import
		</Button>
	);
}

/** Former addresses of authors, tags and pages that are others here, which lead there with one press. */
function Moved({ moved }: { moved: Bundle['moved'] }) {
	const [isLed, setLed] = useState(false);
	const { busy, reason, run } = useSubmit();
	const all = [...moved];
	if (all.length === 0) return null;
	const count = plural(all.length, 'author, tag or page', 'authors, tags and pages');
	const lead = () =>
		run(async () => {
			const text = all.map(([from, to]) => `${from} ${to}`).join('\n');
			const { saved, refused, undo } = await callAsAdmin(importRedirects, { text, preview: false });
			setLed(true);
			const description = refused.length > 0 ? `${refused[0]!.from}: ${refused[0]!.reason}.` : '';
			const title = `${plural(saved, 'former address leads', 'former addresses lead')} on`;
			tellUndoable({ title, ...(description && { description }) }, undo, () => setLed(false));
		});
	return (
		<section className="grid gap-2" aria-label="Former addresses">
			<details>
				<summary className="cursor-pointer">
					{count} had {all.length === 1 ? 'another address' : 'other addresses'}
				</summary>
				<ul className="import-errors">
					{all.slice(0, SHOWN).map(([from, to]) => (
						<li key={from} className="break-all">
							{from} → {to}
						</li>
					))}
					{all.length > SHOWN && <li>and {formatCount(all.length - SHOWN)} more</li>}
				</ul>
			</details>
			{!isLed && (
				<Button
					variant="quiet"
					className="justify-self-start"
					busy={busy}
					onClick={() => void lead()}
				>
					Lead them to the new ones
				</Button>
			)}
			<FieldError>{reason}</FieldError>
		</section>
	);
}

type ReportProgress = (words: string, done: number, total: number) => void;

/** Everything that the file holds, by kind: numbers first, then how and why. */
function Summary({ bundle, report }: { bundle: Bundle; report: Report }) {
	const groups = reportOf(bundle, report);
	const told = groups.filter(({ reasons }) => reasons.length > 0);
	if (groups.length === 0) return <p>This {bundle.kind} holds nothing that can be imported.</p>;
	return (
		<>
			<table className="import-table">
				<caption className="label">{bundle.kind}</caption>
				<thead>
					<tr>
						<th scope="col">What</th>
						<th scope="col">In the file</th>
						<th scope="col">As it is</th>
						<th scope="col">Changed</th>
						<th scope="col">Left out</th>
					</tr>
				</thead>
				<tbody>
					{groups.map(({ kind, found, imported, changed, left }) => (
						<tr key={kind}>
							<th scope="row">{kindName(kind)}</th>
							{[found, imported, changed, left].map((count, index) => (
								<td key={index}>{formatCount(count)}</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
			{told.map((group) => (
				<Reasons key={group.kind} group={group} />
			))}
		</>
	);
}

function Reasons({ group: { kind, reasons } }: { group: Group }) {
	const name = kindName(kind);
	return (
		<section aria-label={`Notes on ${name}`}>
			<h3 className="label">{name}</h3>
			{reasons.map(({ outcome, what, count, where }) => (
				<details key={`${outcome} ${what}`}>
					<summary className="cursor-pointer">
						{formatCount(count)} {outcome === 'left' ? 'left out' : 'changed'}:{' '}
						{what.replace(/^Left out: /, '')}
					</summary>
					<ul className="import-errors">
						{where.slice(0, SHOWN).map((one, index) => (
							<li key={index}>{one}</li>
						))}
						{where.length > SHOWN && <li>and {formatCount(where.length - SHOWN)} more</li>}
					</ul>
				</details>
			))}
		</section>
	);
}

function failureText(problem: unknown): string {
	if (problem instanceof AppError) return messageOf(problem);
	return "This file can't be read.";
}
