import { useStore } from '@nanostores/react';
import { useEffect, useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { DEFAULTS, type CommentMails, type CommentMode } from '#src/core/settings/setting.ts';
import { importOf } from '#src/features/import-export/bundle.ts';
import { undo } from '#src/dashboard/kit/undoable.store.ts';
import { $undoing, $undone } from './undo.store.ts';
import { localTime } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { listAudit } from '#src/core/audit/audit.api.ts';
import { auditQuery, type AuditEntry } from '#src/core/audit/audit.ts';
import type { OpenSession } from '#src/core/session/session.ts';
import { changeSettings, getFacts, getSettings } from '#src/core/settings/settings.api.ts';
import {
	changePassword,
	endOtherSessions,
	endSession,
	listSessions,
} from '#src/core/session/session.api.ts';
import { NewPasswordField } from '#src/dashboard/kit/NewPasswordField.tsx';
import { PasswordField } from '#src/dashboard/kit/PasswordField.tsx';
import { Loaded } from '#src/dashboard/kit/Loaded.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';

const NOTHING = {};
const loadAbbreviations = () =>
	import('./AbbreviationsForm.tsx').then((module) => module.AbbreviationsForm);
const loadSecondFactor = () => import('./SecondFactor.tsx').then((module) => module.SecondFactor);
const loadPageErrors = () => import('./PageErrors.tsx').then((module) => module.PageErrors);
const loadImportExport = () => import('./ImportExport.tsx').then((module) => module.ImportExport);

/** How the site behaves, who is signed in, what was done. */
export function SettingsScreen() {
	return (
		<>
			<Comments />
			<section className="desk-section">
				<Loaded label="Words that search knows" load={loadAbbreviations} />
			</section>
			<Sessions />
			<section className="desk-section">
				<Loaded label="Sign-in" load={loadSecondFactor} />
			</section>
			<Password />
			<section className="desk-section">
				<Loaded label="Import and export" load={loadImportExport} />
			</section>
			<section className="desk-section">
				<Loaded label="Errors of pages" load={loadPageErrors} />
			</section>
			<Facts />
			<AuditLog />
		</>
	);
}

const MODES: { value: CommentMode; label: string; hint: string }[] = [
	{ value: 'publish', label: 'Publish at once', hint: 'You can hide comments later.' },
	{
		value: 'hold-first',
		label: 'Hold first-time authors',
		hint: 'Once you have approved a comment, more comments from the same browser with the same address are published immediately. An address alone proves nothing: anybody can type it.',
	},
	{ value: 'hold-all', label: 'Hold all', hint: 'Nothing appears before you approve it.' },
];

function Comments() {
	const { answer, error, reload } = useAnswer(getSettings, NOTHING);
	const [chosen, setChosen] = useState<CommentMode>();
	const mode = chosen ?? answer?.comments;

	async function choose(comments: CommentMode) {
		const before = chosen;
		setChosen(comments);
		try {
			await callAsAdmin(changeSettings, { comments });
			toast({ title: 'Saved', description: 'Applies to new comments.' });
		} catch (problem) {
			setChosen(before);
			toast({ title: 'Not saved', description: messageOf(problem), destructive: true });
		}
	}

	return (
		<section className="desk-section">
			<h2>New comments</h2>
			<p>A held comment waits under Comments, and its author is told so.</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!mode && error === undefined && <Skeleton label="Loading settings" rows={3} />}
			{mode && (
				<fieldset className="choices">
					<legend className="sr-only">New comments</legend>
					{MODES.map(({ value, label, hint }) => (
						<label key={value}>
							<input
								type="radio"
								name="comments"
								checked={value === mode}
								onChange={() => void choose(value)}
							/>
							<span>
								<strong>{label}</strong>
								<span className="field-hint">{hint}</span>
							</span>
						</label>
					))}
				</fieldset>
			)}
			{answer && <CommentMail chosen={answer.commentMails} onSaved={reload} />}
			{answer && <RefusedWords words={answer.refusedWords} onSaved={reload} />}
			{answer && <Blocked names={answer.blocked} onSaved={reload} />}
		</section>
	);
}

const MAILS: { value: CommentMails; label: string }[] = [
	{ value: 'at-once', label: 'At once, one email for each comment' },
	{ value: 'daily', label: 'Once a day, at 8:00 UTC' },
	{ value: 'never', label: 'Never' },
];

/** When the owner is emailed about new comments. */
function CommentMail({ chosen, onSaved }: { chosen: CommentMails; onSaved: () => void }) {
	async function choose(commentMails: CommentMails) {
		try {
			await callAsAdmin(changeSettings, { commentMails });
			toast({ title: 'Saved', description: 'Applies to new comments.' });
			onSaved();
		} catch (problem) {
			toast({ title: 'Not saved', description: messageOf(problem), destructive: true });
		}
	}

	return (
		<fieldset className="choices">
			<legend>Email me about new comments</legend>
			{MAILS.map(({ value, label }) => (
				<label key={value}>
					<input
						type="radio"
						name="commentMails"
						checked={value === chosen}
						onChange={() => void choose(value)}
					/>
					<span>{label}</span>
				</label>
			))}
		</fieldset>
	);
}

/** The list of those whose comments are hidden. */
function Blocked({ names, onSaved }: { names: string[]; onSaved: () => void }) {
	const [error, setError] = useState<string>();
	const [saving, setSaving] = useState(false);

	async function save(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (saving) return;
		const text = new FormData(event.currentTarget).get('blocked') as string;
		const blocked = text.split('\n').filter((name) => name.trim() !== '');
		setSaving(true);
		setError(undefined);
		try {
			parse(changeSettings.input, { blocked });
			await callAsAdmin(changeSettings, { blocked });
			toast({ title: 'Saved', description: 'New comments of these are hidden.' });
			onSaved();
		} catch (problem) {
			setError(messageOf(problem));
		} finally {
			setSaving(false);
		}
	}

	return (
		<form className="mt-6 grid max-w-xl gap-3" onSubmit={save}>
			<Field
				key={names.join('\n')}
				name="blocked"
				label="Blocked addresses and names"
				hint="One on each line. Their comments are hidden at once, and they are not told."
				type="textarea"
				rows={4}
				defaultValue={names.join('\n')}
				error={error}
			/>
			<Button type="submit" variant="quiet" className="justify-self-start" busy={saving}>
				Save who is blocked
			</Button>
		</form>
	);
}

/** The list of words that no comment may hold. */
function RefusedWords({ words, onSaved }: { words: string[]; onSaved: () => void }) {
	const [text, setText] = useState(words.join(', '));
	const [error, setError] = useState<string>();
	const [saving, setSaving] = useState(false);

	async function save(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (saving) return;
		const refusedWords = text.split(/[,\n]/).filter((word) => word.trim() !== '');
		setSaving(true);
		setError(undefined);
		try {
			parse(changeSettings.input, { refusedWords });
			const saved = await callAsAdmin(changeSettings, { refusedWords });
			setText(saved.refusedWords.join(', '));
			toast({ title: 'Saved', description: 'New comments are checked against this list.' });
			onSaved();
		} catch (problem) {
			setError(messageOf(problem));
		} finally {
			setSaving(false);
		}
	}

	return (
		<form method="post" noValidate onSubmit={save} className="mt-8 grid max-w-md gap-4">
			<Field
				label="Refused words"
				type="textarea"
				rows={3}
				value={text}
				onChange={({ target }) => setText(target.value)}
				hint="A comment with one of them as a whole word is refused, and its author is told which. With commas or line breaks between; none refuses none. Addresses that begin with http are always refused; other links by their beginning, such as www. or t.me/."
				error={error}
			/>
			<div className="flex flex-wrap gap-3">
				<Button type="submit" busy={saving}>
					{saving ? 'Saving…' : 'Save the list'}
				</Button>
				<Button variant="quiet" onClick={() => setText(DEFAULTS.refusedWords.join(', '))}>
					Fill in the usual words
				</Button>
			</div>
		</form>
	);
}

function Sessions() {
	const { answer, error, reload } = useAnswer(listSessions, NOTHING);

	async function end(work: () => Promise<{ ended: number }>) {
		try {
			const { ended } = await work();
			toast({ title: `${plural(ended, 'session')} ended` });
			reload();
		} catch (problem) {
			toast({ title: 'Not ended', description: messageOf(problem), destructive: true });
		}
	}

	const others = answer?.filter(({ isCurrent }) => !isCurrent) ?? [];
	return (
		<section className="desk-section">
			<h2>Open sessions</h2>
			<p>Where you are signed in. A session ends by itself after 30 days.</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading sessions" rows={2} />}
			{answer && (
				<ul className="sessions">
					{answer.map((session) => (
						<SessionRow
							key={session.id}
							session={session}
							onEnd={() => void end(() => callAsAdmin(endSession, { id: session.id }))}
						/>
					))}
				</ul>
			)}
			{others.length > 1 && (
				<Button
					variant="quiet"
					className="mt-4"
					onClick={() => void end(() => callAsAdmin(endOtherSessions, {}))}
				>
					End all others
				</Button>
			)}
		</section>
	);
}

function SessionRow({ session, onEnd }: { session: OpenSession; onEnd: () => void }) {
	const { browser, createdAt, isCurrent } = session;
	return (
		<li>
			<span>
				<strong>{browser}</strong>
				<span className="label">since {localTime(createdAt)}</span>
			</span>
			{isCurrent ? (
				<span className="badge badge-on">This one</span>
			) : (
				<Button variant="quiet" aria-label={`End ${browser}`} onClick={onEnd}>
					End
				</Button>
			)}
		</li>
	);
}

function Password() {
	const [fields, setFields] = useState<Record<string, string>>({});
	const [error, setError] = useState('');
	const [sending, setSending] = useState(false);
	/** How often the password was changed, so that its field starts anew. */
	const [changes, setChanges] = useState(0);

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const form = event.currentTarget;
		const input = Object.fromEntries(new FormData(form)) as Record<string, string>;
		setSending(true);
		setFields({});
		setError('');
		try {
			const { current = '', password = '' } = input;
			parse(changePassword.input, { current, password });
			await callAsAdmin(changePassword, { current, password });
			form.reset();
			setChanges(changes + 1);
			toast({ title: 'Password changed', description: 'All other sessions have ended.' });
		} catch (problem) {
			const wrong = problem instanceof AppError ? (problem.fields ?? {}) : {};
			setFields(wrong);
			if (Object.keys(wrong).length === 0) setError(messageOf(problem));
			const first = Object.keys(wrong)[0];
			if (first) form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
		} finally {
			setSending(false);
		}
	}

	return (
		<section className="desk-section">
			<h2>Password</h2>
			<p>A new password ends all other sessions.</p>
			<form method="post" noValidate onSubmit={send} className="grid max-w-md gap-4">
				<PasswordField
					label="Current password"
					name="current"
					required
					autoComplete="current-password"
					error={fields['current']}
				/>
				<NewPasswordField key={changes} error={fields['password']} />
				<Button type="submit" className="justify-self-start" busy={sending}>
					{sending ? 'Changing…' : 'Change password'}
				</Button>
				{error && (
					<p role="alert" className="field-error">
						{error}
					</p>
				)}
			</form>
		</section>
	);
}

function Facts() {
	const { answer, error, reload } = useAnswer(getFacts, NOTHING);
	return (
		<section className="desk-section">
			<h2>What is set up</h2>
			<p>Set by server environment variables.</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading facts" rows={5} />}
			{answer && (
				<dl className="facts">
					{answer.map(({ name, value, isSet }) => (
						<div key={name}>
							<dt>{name}</dt>
							<dd className={isSet ? undefined : 'text-muted'}>{value}</dd>
						</div>
					))}
				</dl>
			)}
		</section>
	);
}

const AUDIT: Column<AuditEntry>[] = [
	{
		key: 'created',
		label: 'When',
		sortable: true,
		cell: ({ createdAt }) => (
			<time className="whitespace-nowrap" dateTime={createdAt}>
				{localTime(createdAt)}
			</time>
		),
	},
	{
		key: 'what',
		label: 'What',
		cell: ({ actor, action, detail, undo: token }) => (
			<>
				<span className="break-words">
					{actor} <strong>{action}</strong>
				</span>
				{detail && <span className="block text-muted">{detail}</span>}
				{token && (
					<Button
						variant="quiet"
						aria-label={`Undo: ${action} ${detail}`}
						onClick={() => void undo(token, () => $undone.set(token))}
					>
						Undo
					</Button>
				)}
			</>
		),
	},
	{
		key: 'subject',
		label: 'Target',
		wide: true,
		cell: (entry) => {
			const imported = importOf(entry);
			return (
				<>
					<span className="label break-all">{entry.subject}</span>
					{imported && (
						<span className="block">
							<Button variant="quiet" onClick={() => $undoing.set(imported)}>
								Undo this import
							</Button>
						</span>
					)}
				</>
			);
		},
	},
];

function AuditLog() {
	const { query, set } = useQuery('settings');
	const given = auditQuery.safeParse(query);
	const input = given.success ? given.data : parse(auditQuery, {});
	const { answer, ...state } = useAnswer(listAudit, input);
	const gone = useStore($undone);
	useEffect(() => {
		if (gone) state.reload();
	}, [gone]);
	return (
		<section className="desk-section desk-section-wide">
			<h2>Audit log</h2>
			<p>Who did what, and when. Nobody can change it.</p>
			<div className="desk-tools">
				<SearchField
					label="Search the log"
					value={input.q}
					onSearch={(q) => set({ q }, 'replace')}
				/>
				<Button variant="quiet" onClick={state.reload}>
					Refresh
				</Button>
			</div>
			<DataTable
				{...state}
				label="Audit log"
				columns={AUDIT}
				page={answer}
				onRetry={state.reload}
				idOf={({ id }) => String(id)}
				sort={input.sort}
				onSort={(sort) => set({ sort })}
				onPage={(page) => set({ page: String(page) })}
				empty={<p>No activity yet.</p>}
				onShowAll={input.q ? () => set({ q: '' }) : undefined}
			/>
		</section>
	);
}
