import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import * as api from '#src/features/states/editing.api.ts';
import {
	ANSWERS,
	fieldsBetween,
	LIST_NAMES,
	mergeForms,
	STATE_FIELDS,
	type EditedState,
	type StateForm,
	type TextName,
} from '#src/features/states/editing.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { ChooseFields } from './ChooseFields.tsx';
import { FiguresField } from './FiguresField.tsx';
import { ListField } from './ListField.tsx';
import { StateHistory } from './StateHistory.tsx';
import { $writings, change, isUnsaved, showStored, type Writing } from './writing.store.ts';

type Props = { slug: string; onClose: () => void };

/** The form of one state. */
export function StateEditor({ slug, onClose }: Props) {
	const { answer, error, reload } = useAnswer(api.getEditedState, { slug });
	const writing = useStore($writings)[slug];
	useEffect(() => {
		if (answer && !isUnsaved($writings.get()[slug])) showStored(answer);
	}, [answer, slug]);
	return (
		<div className="states-desk">
			<p>
				<button type="button" className="link min-h-11" onClick={onClose}>
					All states
				</button>
			</p>
			{writing ? (
				<StateForm slug={slug} {...writing} reload={reload} />
			) : error === undefined ? (
				<Skeleton label="Loading the state" rows={8} />
			) : (
				<SectionError message={error} onRetry={reload} />
			)}
		</div>
	);
}

/** Another text of the state, from which fields are chosen. */
type Choosing = { from: 'file' | 'elsewhere'; theirs: EditedState; fields: (keyof StateForm)[] };

type FormProps = Writing & { slug: string; reload: () => void };

function StateForm({ slug, base, form, settled, reload }: FormProps) {
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [failure, setFailure] = useState('');
	const [notice, setNotice] = useState('');
	const [saving, setSaving] = useState(false);
	const [choosing, setChoosing] = useState<Choosing>();
	const [historyOpen, setHistoryOpen] = useState(false);
	const root = useRef<HTMLFormElement>(null);
	const unsaved = isUnsaved({ base, form, settled });
	const setForm = (changes: Partial<StateForm>) =>
		change(slug, { form: { ...$writings.get()[slug]!.form, ...changes } });

	async function save(leave = false) {
		if (saving || choosing) return;
		const sent = $writings.get()[slug]!;
		const changed = leave ? [] : fieldsBetween(sent.base, sent.form);
		const unread = changed.includes('figures')
			? sent.form.figures.findIndex(({ value }) => Number.isNaN(value))
			: -1;
		setFailure('');
		setNotice('');
		setErrors({});
		if (unread >= 0) return refuse({ [`figures.${unread}.value`]: 'Use a number from 0.' });
		setSaving(true);
		try {
			const { undo, ...stored } = await callAsAdmin(api.updateState, {
				slug,
				version: sent.base.version,
				...Object.fromEntries(changed.map((name) => [name, sent.form[name]])),
				...((leave || sent.settled) && { settled: true }),
			});
			const later = $writings.get()[slug]!.form;
			showStored(stored);
			// What was typed while it was saved stays.
			for (const name of fieldsBetween(sent.form, later)) setForm({ [name]: later[name] });
			if (undo) tellUndoable({ title: `${stored.name} saved` }, undo, reload);
		} catch (problem) {
			const known = problem instanceof AppError ? problem : undefined;
			if (known?.stored) merge(known.stored as EditedState);
			else if (known?.fields) refuse(known.fields);
			else setFailure(messageOf(problem));
		} finally {
			setSaving(false);
		}
	}

	/** Shows what cannot be saved, and goes there. */
	function refuse(fields: Record<string, string>) {
		setErrors(fields);
		setFailure(`Not saved: ${Object.values(fields)[0]}`);
		requestAnimationFrame(() =>
			root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
		);
	}

	/** Takes over what somebody else saved meanwhile, and asks where both changed the same. */
	function merge(theirs: EditedState) {
		const { base, form } = $writings.get()[slug]!;
		const { merged, disputed } = mergeForms(base, form, theirs);
		const others = fieldsBetween(form, merged).map((name) => STATE_FIELDS[name]);
		change(slug, { base: theirs, form: merged });
		setNotice(
			others.length > 0
				? `Changed elsewhere meanwhile and taken over here: ${joinWithAnd(others)}. Look at it and save again.`
				: 'This was changed elsewhere meanwhile. Look at it and save again.',
		);
		if (disputed.length > 0) setChoosing({ from: 'elsewhere', theirs, fields: disputed });
	}

	const current = useRef(save);
	current.current = save;
	useEffect(() => {
		function onKeyDown(event: KeyboardEvent) {
			const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's';
			if (!isSave || event.altKey || event.shiftKey) return;
			if (root.current?.closest('[hidden]') || document.querySelector('dialog[open]')) return;
			event.preventDefault();
			void current.current();
		}
		document.addEventListener('keydown', onKeyDown);
		return () => document.removeEventListener('keydown', onKeyDown);
	}, []);

	const { offer } = base;
	const offered = offer ? fieldsBetween(base, offer) : [];
	const compare = () =>
		setChoosing({ from: 'file', theirs: { ...base, ...offer }, fields: offered });
	const take = () => {
		const taken = Object.fromEntries(offered.map((name) => [name, offer![name]]));
		change(slug, { form: { ...form, ...taken }, settled: true });
	};
	const text = (name: TextName, rows?: number, hint?: string) => (
		<Field
			{...(rows ? { type: 'textarea' as const, rows } : {})}
			label={STATE_FIELDS[name]}
			value={form[name]}
			error={errors[name]}
			hint={hint}
			onChange={({ currentTarget }: { currentTarget: { value: string } }) =>
				setForm({ [name]: currentTarget.value })
			}
		/>
	);

	return (
		<form
			ref={root}
			method="post"
			noValidate
			className="state-form"
			aria-label={base.name}
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<header className="state-head">
				<h2>{base.name}</h2>
				<p role="status" className="label">
					{saving ? 'Saving…' : unsaved ? 'Not saved' : `Version ${base.version}`}
				</p>
				<span className="state-actions">
					<a className="link state-link" href={paths.state(slug)}>
						Its page
					</a>
					<Button variant="quiet" onClick={() => setHistoryOpen(true)}>
						Earlier versions
					</Button>
					<Button type="submit" busy={saving} disabled={choosing !== undefined} title="Ctrl+S">
						Save
					</Button>
				</span>
			</header>
			{offer && !settled && !choosing && (
				<div className="state-offer" role="region" aria-label="Newer file">
					<p>The repository has a newer text of {base.name}.</p>
					<p className="flex flex-wrap gap-3">
						<Button variant="quiet" onClick={compare}>
							Compare
						</Button>
						<Button variant="quiet" onClick={take}>
							Take it
						</Button>
						<Button variant="quiet" onClick={() => void save(true)} disabled={unsaved}>
							Keep mine
						</Button>
					</p>
				</div>
			)}
			{notice && (
				<p role="status" className="state-offer">
					{notice}
				</p>
			)}
			{failure && (
				<p role="alert" className="field-error">
					{failure}
				</p>
			)}
			{choosing && (
				<ChooseFields
					{...choosing}
					mine={form}
					onChosen={(chosen) => {
						const isOfFile = choosing.from === 'file';
						change(slug, { form: { ...form, ...chosen }, ...(isOfFile && { settled: true }) });
						setChoosing(undefined);
					}}
					onCancel={choosing.from === 'file' ? () => setChoosing(undefined) : undefined}
				/>
			)}
			<FiguresField
				figures={form.figures}
				errors={errors}
				onChange={(figures) => setForm({ figures })}
			/>
			<fieldset className="state-part">
				<legend>Texts</legend>
				{text('capital')}
				{text('description', 7)}
				{text('startupEcosystem', 6)}
				{text('metaTitle')}
				{text('metaDescription', 3)}
			</fieldset>
			<fieldset className="state-part">
				<legend>{STATE_FIELDS.answers}</legend>
				{(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[]).map((key) => (
					<Field
						key={key}
						type="textarea"
						rows={4}
						label={ANSWERS[key]}
						value={form.answers[key] ?? ''}
						error={errors[`answers.${key}`]}
						onChange={({ currentTarget }) =>
							setForm({ answers: { ...form.answers, [key]: currentTarget.value } })
						}
					/>
				))}
			</fieldset>
			{LIST_NAMES.map((name) => (
				<ListField
					key={name}
					label={STATE_FIELDS[name]}
					name={name}
					items={form[name]}
					errors={errors}
					onChange={(items) => setForm({ [name]: items })}
				/>
			))}
			{historyOpen && (
				<StateHistory
					slug={slug}
					form={form}
					onClose={() => setHistoryOpen(false)}
					onRestore={(restored) => {
						setForm(restored);
						setHistoryOpen(false);
					}}
				/>
			)}
		</form>
	);
}
