import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { $unsavedCopies, findUnsaved } from '#src/dashboard/kit/unsaved.store.ts';
import { UnsavedNote } from '#src/dashboard/kit/UnsavedNote.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import type { Edited } from '#src/core/records/record.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import { ChooseFields } from './ChooseFields.tsx';
import type { Desk, Writing } from './desk.store.ts';
import { History } from './History.tsx';
import { OfferNote } from './OfferNote.tsx';

export type FieldsProps<Of, Form> = {
	base: Of;
	form: Form;
	errors: Record<string, string>;
	setForm: (changes: Partial<Form>) => void;
};

type Props<Of extends Edited<Form>, Form extends object, At extends object> = {
	desk: Desk<Of, Form, At>;
	slug: string;
	onClose: () => void;
	/** It was saved with another slug. */
	onMoved?: (slug: string) => void;
	/** Called before what is typed is read. */
	onSettle?: () => void;
	/** Further buttons beside Save. */
	actions?: (base: Of) => ReactNode;
	children: (props: FieldsProps<Of, Form>) => ReactNode;
};

/** The form of one record: saved with its version, merged, compared with a newer file, restored. */
export function RecordEditor<Of extends Edited<Form>, Form extends object, At extends object>(
	props: Props<Of, Form, At>,
) {
	const { desk, slug, onClose } = props;
	const { $writings, isUnsaved, showStored } = desk;
	const { answer, error, reload } = useAnswer(desk.get, desk.at(slug));
	const { answer: elsewhere } = useAnswer(desk.getUnsaved, desk.at(slug));
	const writing = useStore($writings)[slug];
	useEffect(() => {
		if (answer && !isUnsaved($writings.get()[slug])) showStored(answer);
	}, [answer, slug]);
	const isThere = answer !== undefined;
	useEffect(() => {
		// Once: what was taken or thrown away is not offered again.
		if (elsewhere && isThere) desk.offerKept(slug, elsewhere.copy);
	}, [elsewhere, isThere, slug]);
	return (
		<>
			<p>
				<button type="button" className="link min-h-11" onClick={onClose}>
					All {desk.all}
				</button>
			</p>
			{writing ? (
				<RecordForm {...props} {...writing} reload={reload} />
			) : error === undefined ? (
				<Skeleton label={`Loading the ${desk.noun}`} rows={8} />
			) : (
				<SectionError message={error} onRetry={reload} />
			)}
		</>
	);
}

/** Another text of the record, from which fields are chosen. */
type Choosing<Form> = {
	from: 'file' | 'elsewhere';
	theirs: Form;
	fields: (keyof Form & string)[];
};

function RecordForm<Of extends Edited<Form>, Form extends object, At extends object>({
	desk,
	slug,
	base,
	form,
	settled,
	reload,
	onMoved,
	onSettle,
	actions,
	children,
}: Props<Of, Form, At> & Writing<Of, Form> & { reload: () => void }) {
	const { kind, nameOf, $writings, isUnsaved, showStored, change } = desk;
	const { between, labels, read, textOf } = kind;
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [failure, setFailure] = useState('');
	const [notice, setNotice] = useState('');
	const [saving, setSaving] = useState(false);
	const [choosing, setChoosing] = useState<Choosing<Form>>();
	const [historyOpen, setHistoryOpen] = useState(false);
	const root = useRef<HTMLDivElement>(null);
	const unsaved = isUnsaved({ base, form, settled });
	const name = nameOf(base);
	const path = desk.pathOf(base);
	const isKept = useStore(desk.$kept)[slug] === true;
	const kept = findUnsaved(useStore($unsavedCopies), `${desk.noun} ${slug}`);
	const setForm = (changes: Partial<Form>, key = slug) => {
		// A text gives out its last words also when the record is gone.
		const writing = $writings.get()[key];
		if (writing) change(key, { form: { ...writing.form, ...changes } });
	};

	async function save(leave = false) {
		if (saving || choosing) return;
		setFailure('');
		setNotice('');
		setErrors({});
		setSaving(true);
		try {
			await send(leave);
		} catch (problem) {
			const fields = problem instanceof AppError ? problem.fields : undefined;
			if (fields) refuse(fields);
			else setFailure(messageOf(problem));
		} finally {
			setSaving(false);
		}
	}

	/** Stores what is typed. What somebody else stored meanwhile is merged, and asked about where both changed the same. */
	async function send(leave: boolean): Promise<void> {
		onSettle?.();
		const sent = $writings.get()[slug]!;
		const changed = leave ? [] : between(sent.base, sent.form);
		const problems = desk.check?.(sent.form, changed) ?? {};
		if (Object.keys(problems).length > 0) return refuse(problems);
		try {
			const { undo, ...answered } = await callAsAdmin(desk.update, {
				...desk.at(slug),
				version: sent.base.version,
				...Object.fromEntries(changed.map((field) => [field, sent.form[field]])),
				...((leave || sent.settled) && { settled: true }),
			});
			const stored = answered as unknown as Of;
			onSettle?.();
			const later = $writings.get()[slug]!.form;
			showStored(stored);
			// Keeps what was typed during the save.
			for (const field of between(sent.form, later))
				setForm({ [field]: later[field] } as unknown as Partial<Form>, stored.slug);
			if (undo) tellUndoable({ title: `${nameOf(stored)} saved` }, undo, reload);
			if (stored.slug !== slug) {
				$writings.setKey(slug, undefined);
				onMoved?.(stored.slug);
			}
		} catch (problem) {
			if (!(problem instanceof AppError) || !problem.stored) throw problem;
			onSettle?.();
			if (merge(problem.stored as Of) && !leave) await send(leave);
		}
	}

	/** Shows what cannot be saved. */
	function refuse(fields: Record<string, string>) {
		setErrors(fields);
		setFailure(`Not saved: ${Object.values(fields)[0]}`);
	}

	/** Takes over what somebody else saved. Returns whether nothing is left to ask. */
	function merge(theirs: Of): boolean {
		const { base, form, settled } = $writings.get()[slug]!;
		const { merged, disputed } = kind.merge(base, form, theirs);
		const others = between(form, merged).map((field) => labels[field]);
		const isSameOffer = JSON.stringify(theirs.offer) === JSON.stringify(base.offer);
		change(slug, { base: theirs, form: merged, settled: settled && isSameOffer });
		const taken =
			others.length > 0
				? `Changed elsewhere meanwhile and taken over here: ${joinWithAnd(others)}.`
				: 'This was changed elsewhere meanwhile.';
		if (disputed.length === 0) {
			setNotice(taken);
			return true;
		}
		setNotice(`${taken} Look at it and save again.`);
		// Theirs has the places that I alone changed, too.
		const other = kind.merge(base, theirs, form).merged;
		setChoosing({ from: 'elsewhere', theirs: other, fields: disputed });
		return false;
	}

	// Goes to the first field that was refused, once it is marked.
	useEffect(() => {
		root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
	}, [errors]);

	const current = useRef(save);
	current.current = save;
	useEffect(() => {
		// What was typed last is kept where the page is left at once.
		const onLeave = () => onSettle?.();
		addEventListener('pagehide', onLeave);
		return () => removeEventListener('pagehide', onLeave);
	}, []);
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
					{saving
						? 'Saving…'
						: !unsaved
							? `Version ${base.version}`
							: isKept
								? 'Kept, not saved'
								: 'Not saved'}
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
						{desk.deedOf?.(base, form) ?? 'Save'}
					</Button>
				</span>
			</header>
			{kept && !unsaved && between(base, read(kept[1].form as Form)).length > 0 && (
				<UnsavedNote
					found={kept}
					isOlder={kept[1].at < Date.parse(base.updatedAt)}
					onThrow={() => desk.forgetKept(slug, kept[1].at)}
					onUse={({ version, base: from, form, at }) => {
						change(slug, {
							base: { ...base, ...read(from as Form), version },
							form: read(form as Form),
						});
						// From now on it is this device's text.
						desk.forgetKept(slug, at);
					}}
				/>
			)}
			{offer && !settled && !choosing && (
				<OfferNote
					name={name}
					onCompare={() => setChoosing({ from: 'file', theirs: offer, fields: offered })}
					onTake={() => change(slug, { form: { ...form, ...take(offer, offered) }, settled: true })}
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
						change(slug, {
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
					desk={desk}
					slug={slug}
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
