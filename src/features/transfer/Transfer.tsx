import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { callAsAdmin } from '#src/features/admin/session.store.ts';
import { listCategories } from '#src/features/categories/categories.api.ts';
import { useAnswer } from '#src/features/admin/useAnswer.ts';
import { importSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { grouped, plural } from '#src/lib/text.ts';
import { sendBundle, type Report, type Sender } from './send.ts';
import { exportAll, importPart } from './transfer.api.ts';
import { imagesOf, type Bundle, type Problem } from './transfer.ts';

const NOTHING = {};
const SHOWN = 100;

const sender: Sender = {
	part: (input) => callAsAdmin(importPart, input),
	subscribers: (rows, preview) =>
		callAsAdmin(importSubscribers, { rows, preview, reactivate: false }),
};

type Step =
	| { step: 'file' }
	| { step: 'working'; words: string }
	| { step: 'preview'; bundle: Bundle; report: Report }
	| { step: 'done'; bundle: Bundle; report: Report };

/** Brings in what other programs export, and puts everything out. */
export function Transfer() {
	const [step, setStep] = useState<Step>({ step: 'file' });
	const [error, setError] = useState('');
	const [asDrafts, setAsDrafts] = useState(false);
	const [categoryId, setCategoryId] = useState('');
	const { answer: categories = [] } = useAnswer(listCategories, NOTHING);
	const category = categoryId || categories[0]?.id || '';

	async function open(file: File | undefined) {
		if (!file) return;
		setError('');
		setStep({ step: 'working', words: `Reading ${file.name}…` });
		try {
			// Slow to load, and seldom needed.
			const { readFile } = await import('./read-file.ts');
			const bundle = await readFile(new Uint8Array(await file.arrayBuffer()));
			await send(bundle, true);
		} catch (problem) {
			setError(reasonOf(problem));
			setStep({ step: 'file' });
		}
	}

	async function send(bundle: Bundle, preview: boolean, into = category) {
		setStep({ step: 'working', words: preview ? 'Looking what is new…' : 'Importing…' });
		const report = await sendBundle(
			bundle,
			{ preview, asDrafts, categoryId: into },
			sender,
			(done, total) =>
				setStep({
					step: 'working',
					words: `${preview ? 'Looking' : 'Importing'}: ${grouped(done)} of ${grouped(total)}…`,
				}),
		);
		setStep({ step: preview ? 'preview' : 'done', bundle, report });
	}

	async function store(bundle: Bundle, report: Report) {
		setError('');
		try {
			await send(bundle, false);
		} catch (problem) {
			setError(`${reasonOf(problem)} What was imported stays; import the file again to go on.`);
			setStep({ step: 'preview', bundle, report });
		}
	}

	const failure = error && (
		<p role="alert" className="field-error">
			{error}
		</p>
	);
	return (
		<>
			<h2>Import and export</h2>
			<p className="mb-4 text-muted">
				Imports a folder of Markdown files (zip), a Ghost export (JSON), a WordPress export (XML) or
				an archive of this site. Nothing is stored before you have seen what will happen.
			</p>
			{step.step === 'file' && (
				<div className="grid gap-4">
					<div className="flex flex-wrap gap-3">
						<label className="button upload">
							Choose a file to import
							<input
								type="file"
								accept=".zip,.json,.xml,application/zip,application/json,text/xml"
								onChange={(event) => {
									void open(event.currentTarget.files?.[0]);
									event.currentTarget.value = '';
								}}
							/>
						</label>
						<a className="button button-quiet" href={exportAll.path} download>
							Export everything
						</a>
					</div>
					{failure}
				</div>
			)}
			{step.step === 'working' && (
				<p role="status" className="label">
					{step.words}
				</p>
			)}
			{step.step === 'preview' && (
				<div className="grid gap-4">
					<Summary {...step} />
					<Field
						label="Category of posts that name none of yours"
						type="select"
						value={category}
						options={categories.map(({ id, name }) => ({ value: id, label: name }))}
						onChange={(event) => {
							const into = event.currentTarget.value;
							setCategoryId(into);
							send(step.bundle, true, into).catch((problem: unknown) => {
								setError(reasonOf(problem));
								setStep(step);
							});
						}}
					/>
					<label className="flex items-center gap-3">
						<input
							type="checkbox"
							checked={asDrafts}
							onChange={(event) => setAsDrafts(event.currentTarget.checked)}
						/>
						Bring all posts in as drafts
					</label>
					{failure}
					<p className="flex flex-wrap gap-3">
						<Button onClick={() => void store(step.bundle, step.report)}>Import</Button>
						<Button variant="quiet" onClick={() => setStep({ step: 'file' })}>
							Cancel
						</Button>
					</p>
				</div>
			)}
			{step.step === 'done' && (
				<div className="grid gap-4">
					<p role="status" className="font-semibold">
						Imported.
					</p>
					<Summary {...step} />
					<Button className="justify-self-start" onClick={() => setStep({ step: 'file' })}>
						Done
					</Button>
				</div>
			)}
		</>
	);
}

function Summary({ bundle, report }: { bundle: Bundle; report: Report }) {
	const added = report.posts.filter(({ outcome }) => outcome === 'added').length;
	const known = report.posts.length - added;
	const facts = [
		[added, 'post'],
		[known, 'post that is there already', 'posts that are there already'],
		[report.categories, 'category', 'categories'],
		[report.comments, 'comment'],
		[report.subscribers, 'subscriber'],
		[report.media, 'image'],
	] as const;
	const notes = notesOf(bundle, report);
	return (
		<>
			<p className="label">{bundle.kind}</p>
			<ul className="import-report">
				{facts
					.filter(([count]) => count > 0)
					.map(([count, one, many]) => (
						<li key={one}>{plural(count, one, many)}</li>
					))}
				{facts.every(([count]) => count === 0) && <li>Nothing that can be imported.</li>}
			</ul>
			{notes.length > 0 && (
				<details open={notes.length <= 8}>
					<summary className="cursor-pointer">{plural(notes.length, 'note')}</summary>
					<ul className="import-errors">
						{notes.slice(0, SHOWN).map(({ where, what }, index) => (
							<li key={index}>
								<strong>{where}</strong>: {what}
							</li>
						))}
						{notes.length > SHOWN && <li>and {notes.length - SHOWN} more</li>}
					</ul>
				</details>
			)}
		</>
	);
}

/** What somebody should know of each thing before or after it comes in. */
function notesOf(bundle: Bundle, report: Report): Problem[] {
	const posts = new Map(bundle.posts.map((post) => [post.key, post]));
	return [
		...bundle.problems,
		...report.posts.flatMap(({ key, outcome, notes }) => {
			const post = posts.get(key);
			const where = post?.title || key;
			const images = outcome === 'added' && post ? imagesOf(post.content) : [];
			const stay =
				images.length > 0
					? [
							`${plural(images.length, 'image stays where it is', 'images stay where they are')}: ${images[0]!}`,
						]
					: [];
			return [...notes, ...stay].map((what) => ({ where, what }));
		}),
	];
}

function reasonOf(problem: unknown): string {
	if (problem instanceof AppError) return messageOf(problem);
	return 'This file is not what it seems: it cannot be read.';
}
