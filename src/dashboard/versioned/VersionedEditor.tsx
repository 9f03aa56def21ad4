import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import { ChooseFields } from './ChooseFields.tsx';
import { History } from './History.tsx';
import type { Kind, Stored, Writing } from './kind.ts';
import { OfferNote } from './OfferNote.tsx';
import type { Writings } from './writing.store.ts';

/** Props of the fields of a form. */
export type FieldsProps<Of, Form> = {
	base: Of;
	form: Form;
	errors: Record<string, string>;
	setForm: (changes: Partial<Form>) => void;
};

type Props<Of extends Stored<Form>, Form extends object, At extends object> = {
	kind: Kind<Of, Form, At>;
	writings: Writings<Of, Form>;
	/** Its name in the address. */
	id: string;
	onClose: () => void;
	/** It was saved under another name. */
	onMoved?: (id: string) => void;
	/** Called before what is typed is read. */
	onSettle?: () => void;
	/** Further buttons beside Save. */
	actions?: (base: Of) => ReactNode;
	children: (props: FieldsProps<Of, Form>) => ReactNode;
};

/** The form of one thing that is edited whole: saved with its version, merged, compared with a newer file, restored. */
export function VersionedEditor<Of extends Stored<Form>, Form extends object, At extends object>(
	props: Props<Of, Form, At>,
) {
	const { kind, id, onClose } = props;
	const { $writings, isUnsaved, showStored } = props.writings;
	const { answer, error, reload } = useAnswer(kind.get, kind.at(id));
	const writing = useStore($writings)[id];
	useEffect(() => {
		if (answer && !isUnsaved($writings.get()[id])) showStored(answer);
	}, [answer, id]);
	return (
		<>
			<p>
				<button type="button" className="link min-h-11" onClick={onClose}>
					All {kind.all}
				</button>
			</p>
			{writing ? (
				<VersionedForm {...props} {...writing} reload={reload} />
			) : error === undefined ? (
				<Skeleton label={`Loading the ${kind.noun}`} rows={8} />
			) : (
				<SectionError message={error} onRetry={reload} />
			)}
		</>
	);
}

/** Another text of the thing, from which fields are chosen. */
type Choosing<Form> = {
	from: 'file' | 'elsewhere';
	theirs: Form;
	fields: (keyof Form & string)[];
};

function VersionedForm<Of extends Stored<Form>, Form extends object, At extends object>({
	kind,
	writings: { $writings, isUnsaved, showStored, change },
	id,
	base,
	form,
	settled,
	reload,
	onMoved,
	onSettle,
	actions,
	children,
}: Props<Of, Form, At> & Writing<Of, Form> & { reload: () => void }) {
	const { between, labels, textOf, nameOf } = kind;
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [failure, setFailure] = useState('');
	const [notice, setNotice] = useState('');
	const [saving, setSaving] = useState(false);
	const [choosing, setChoosing] = useState<Choosing<Form>>();
	const [historyOpen, setHistoryOpen] = useState(false);
	const root = useRef<HTMLDivElement>(null);
	const unsaved = isUnsaved({ base, form, settled });
	const name = nameOf(base);
	const path = kind.pathOf(base);
	const setForm = (changes: Partial<Form>, key = id) => {
		// A text gives out its last words also when the thing is gone.
		const writing = $writings.get()[key];
		if (writing) change(key, { form: { ...writing.form, ...changes } });
	};

	async function save(leave = false) {
		if (saving || choosing) return;
		onSettle?.();
		const sent = $writings.get()[id]!;
		const changed = leave ? [] : between(sent.base, sent.form);
		const problems = kind.check?.(sent.form, changed) ?? {};
		setFailure('');
		setNotice('');
		setErrors({});
		if (Object.keys(problems).length > 0) return refuse(problems);
		setSaving(true);
		try {
			const { undo, ...answered } = await callAsAdmin(kind.update, {
				...kind.at(id),
				version: sent.base.version,
				...Object.fromEntries(changed.map((field) => [field, sent.form[field]])),
				...((leave || sent.settled) && { settled: true }),
			});
			const stored = answered as unknown as Of;
			onSettle?.();
			const later = $writings.get()[id]!.form;
			const key = kind.keyOf(stored);
			showStored(stored);
			// What was typed while it was saved stays.
			for (const field of between(sent.form, later))
				setForm({ [field]: later[field] } as unknown as Partial<Form>, key);
			if (undo) tellUndoable({ title: `${nameOf(stored)} saved` }, undo, reload);
			if (key !== id) {
				$writings.setKey(id, undefined);
				onMoved?.(key);
			}
		} catch (problem) {
			const known = problem instanceof AppError ? problem : undefined;
			if (known?.stored) merge(known.stored as Of);
			else if (known?.fields) refuse(known.fields);
			else setFailure(messageOf(problem));
		} finally {
			setSaving(false);
		}
	}

	/** Shows what cannot be saved. */
	function refuse(fields: Record<string, string>) {
		setErrors(fields);
		setFailure(`Not saved: ${Object.values(fields)[0]}`);
	}

	/** Takes over what somebody else saved meanwhile, and asks where both changed the same. */
	function merge(theirs: Of) {
		const { base, form } = $writings.get()[id]!;
		const { merged, disputed } = kind.merge(base, form, theirs);
		const others = between(form, merged).map((field) => labels[field]);
		change(id, { base: theirs, form: merged });
		setNotice(
			others.length > 0
				? `Changed elsewhere meanwhile and taken over here: ${joinWithAnd(others)}. Look at it and save again.`
				: 'This was changed elsewhere meanwhile. Look at it and save again.',
		);
		if (disputed.length > 0) setChoosing({ from: 'elsewhere', theirs, fields: disputed });
	}

	// Goes to the first field that was refused, once it is marked.
	useEffect(() => {
		root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
	}, [errors]);

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
	const offered = offer ? between(base, offer) : [];
	const take = (from: Form, fields: string[]) =>
		Object.fromEntries(fields.map((field) => [field, from[field as keyof Form]])) as Partial<Form>;

	return (
		// No form of the browser's: an article's tools have forms of their own.
		<div ref={root} role="form" className="versioned" aria-label={name}>
			<header className="versioned-head">
				<h2>{name}</h2>
				<p role="status" className="label">
					{saving ? 'Saving…' : unsaved ? 'Not saved' : `Version ${base.version}`}
				</p>
				<span className="versioned-actions">
					{path !== null && (
						<a className="link versioned-link" href={path}>
							Its page
						</a>
					)}
					{actions?.(base)}
					<Button variant="quiet" onClick={() => setHistoryOpen(true)}>
						Earlier versions
					</Button>
					<Button
						busy={saving}
						disabled={choosing !== undefined}
						title="Ctrl+S"
						onClick={() => void save()}
					>
						Save
					</Button>
				</span>
			</header>
			{offer && !settled && !choosing && (
				<OfferNote
					name={name}
					onCompare={() => setChoosing({ from: 'file', theirs: offer, fields: offered })}
					onTake={() => change(id, { form: { ...form, ...take(offer, offered) }, settled: true })}
					onKeep={() => void save(true)}
					unsaved={unsaved}
				/>
			)}
			{notice && (
				<p role="status" className="versioned-note">
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
					from={choosing.from}
					choices={choosing.fields.map((field) => ({
						name: field,
						label: labels[field],
						mine: textOf(form, field),
						theirs: textOf(choosing.theirs, field),
					}))}
					onChosen={(taken) => {
						change(id, {
							form: { ...form, ...take(choosing.theirs, taken) },
							...(choosing.from === 'file' && { settled: true }),
						});
						setChoosing(undefined);
					}}
					onCancel={choosing.from === 'file' ? () => setChoosing(undefined) : undefined}
				/>
			)}
			{children({ base, form, errors, setForm })}
			{historyOpen && (
				<History
					kind={kind}
					id={id}
					form={form}
					onClose={() => setHistoryOpen(false)}
					onRestore={(restored) => {
						setForm(restored);
						setHistoryOpen(false);
					}}
				/>
			)}
		</div>
	);
}
