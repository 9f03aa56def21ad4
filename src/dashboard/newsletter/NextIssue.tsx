import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import type { SurfaceHandle } from '#src/dashboard/editor/surface/Surface.tsx';
import { KeptNote, useTransport } from '#src/dashboard/kit/KeptNote.tsx';
import { Choices } from '#src/dashboard/kit/Choices.tsx';
import { Fold } from '#src/dashboard/kit/Fold.tsx';
import { $unsavedCopies, findUnsaved, keepUnsaved } from '#src/dashboard/kit/unsaved.store.ts';
import { UnsavedNote } from '#src/dashboard/kit/UnsavedNote.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { TestButton } from '#src/dashboard/kit/WorkButton.tsx';
import { TextField } from '#src/dashboard/pages/TextField.tsx';
import { OrderedList } from '#src/dashboard/site/OrderedList.tsx';
import {
	approveIssue,
	getNextIssue,
	updateNextIssue,
} from '#src/features/newsletter/letters.api.ts';
import type {
	IssueArticle,
	LetterMode,
	NextIssue as Stored,
	NextIssueForm,
} from '#src/features/newsletter/next-issue.ts';
import { listAdminPosts } from '#src/features/posts/editing.api.ts';
import { localDate, localTime, timeIn } from '#src/lib/dates.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { IssueLinks } from './IssueLinks.tsx';
import { IssuePreview } from './IssuePreview.tsx';
import { Schedule } from './Schedule.tsx';
import { SendQuestion } from './SendQuestion.tsx';

const NOTHING = {};
const MODES: { value: LetterMode; label: string; hint: string }[] = [
	{ value: 'auto', label: 'By itself', hint: 'It goes out when it is due, without a question.' },
	{
		value: 'ask',
		label: 'Ask me',
		hint: 'When it is due you get an email with a link. Nothing goes out before you approve it.',
	},
	{ value: 'skip', label: 'Skip this one', hint: 'Its articles are in the next one.' },
];

const FIELDS = ['mode', 'subject', 'preview', 'note', 'posts', 'links'] as const;
type Form = NextIssueForm & { articles: IssueArticle[]; leftOut: IssueArticle[] };

/** Returns the fields in which two forms differ. */
const between = (a: NextIssueForm, b: NextIssueForm) =>
	FIELDS.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
const formOf = ({
	mode,
	subject,
	preview,
	note,
	posts,
	links,
	articles,
	leftOut,
}: Stored): Form => ({
	...{ mode, subject, preview, note, posts, links, articles, leftOut },
});

/** The next issue: how it goes out, its words and its articles. */
export function NextIssue({ onSent }: { onSent: () => void }) {
	const { answer, error, reload } = useAnswer(getNextIssue, NOTHING);
	return (
		<div className="grid gap-14">
			<section aria-labelledby="next-issue-title">
				<h2 id="next-issue-title">Next issue</h2>
				{error !== undefined && <SectionError message={error} onRetry={reload} />}
				{!answer && error === undefined && <Skeleton label="Loading the next issue" rows={6} />}
				{answer && <IssueForm answer={answer} reload={reload} onSent={onSent} />}
			</section>
			<Schedule due={answer} onSaved={reload} />
		</div>
	);
}

type Props = { answer: Stored; reload: () => void; onSent: () => void };

function IssueForm({ answer, reload, onSent }: Props) {
	const [seen, setSeen] = useState(answer);
	const [base, setBase] = useState(answer);
	const [form, setForm] = useState(() => formOf(answer));
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [notice, setNotice] = useState('');
	const [saving, setSaving] = useState(false);
	const [asking, setAsking] = useState(false);
	const { isKept } = useTransport();
	const surface = useRef<SurfaceHandle>(null);
	/** The form as it is by now, for work that goes on between two renderings. */
	const current = useRef(form);
	const changed = between(base, form);

	// What changed at the server shows where nothing is typed: an article that came, an issue that went out.
	if (answer !== seen) {
		setSeen(answer);
		if (changed.length === 0 && !saving && answer.version >= base.version) start(answer);
	}

	function show(next: Form, from = base) {
		current.current = next;
		setForm(next);
		const isChanged = between(from, next).length > 0;
		keepUnsaved(
			'issue',
			isChanged ? { version: from.version, base: formOf(from), form: next } : null,
		);
	}
	const edit = (changes: Partial<Form>) => show({ ...current.current, ...changes });
	/** Goes on from what is stored, with what was typed here since `sent`. */
	function start(from: Stored, sent: NextIssueForm = current.current) {
		const { articles, leftOut, ...typed } = current.current;
		const kept = between(sent, typed).map((name) => [name, typed[name]] as const);
		const lists = kept.some(([name]) => name === 'posts') ? { articles, leftOut } : {};
		setBase(from);
		show({ ...formOf(from), ...Object.fromEntries(kept), ...lists }, from);
	}
	/** Stores changes, and shows what came of them. */
	async function store(changes: Partial<NextIssueForm>) {
		const sent = current.current;
		const stored = await callAsAdmin(updateNextIssue, { ...changes, version: base.version });
		surface.current?.sync();
		start(stored, sent);
	}
	const setArticles = (articles: IssueArticle[], leftOut = form.leftOut) =>
		edit({ articles, leftOut, posts: articles.map(({ id }) => id) });

	useEffect(() => {
		if (changed.length === 0) return;
		const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener('beforeunload', onLeave);
		return () => removeEventListener('beforeunload', onLeave);
	}, [changed.length]);
	useEffect(() => {
		// What was typed last is kept where the page is left at once.
		const onLeave = () => surface.current?.sync();
		addEventListener('pagehide', onLeave);
		return () => removeEventListener('pagehide', onLeave);
	}, []);

	async function save() {
		if (saving) return;
		surface.current?.sync();
		setSaving(true);
		setErrors({});
		setNotice('');
		try {
			const typed = current.current;
			await store(
				Object.fromEntries(between(base, typed).map((name) => [name, typed[name]] as const)),
			);
			toast({ title: 'Saved' });
		} catch (problem) {
			const known = problem instanceof AppError ? problem : undefined;
			if (known?.stored) merge(known.stored as Stored);
			else if (known?.fields) setErrors(known.fields);
			else setNotice(messageOf(problem));
		} finally {
			setSaving(false);
		}
	}

	/** Takes over what was stored elsewhere, except for the fields that are changed here. */
	function merge(theirs: Stored) {
		surface.current?.sync();
		start(theirs, base);
		setNotice(
			'The issue was changed elsewhere meanwhile. What you changed here stays; look at it and save again.',
		);
	}

	async function skip() {
		setSaving(true);
		try {
			await store({ mode: 'skip' });
			toast({ title: 'Skipped', description: 'Its articles are in the next one.' });
		} catch (problem) {
			toast({ title: 'Not skipped', description: messageOf(problem), destructive: true });
		} finally {
			setSaving(false);
		}
		reload();
	}

	async function approve() {
		setSaving(true);
		try {
			await callAsAdmin(approveIssue, {});
			toast(
				isKept
					? { title: 'The issue is kept as files on this machine', description: 'Nothing is sent.' }
					: { title: 'The issue goes out', description: 'As soon as its page is built.' },
			);
			onSent();
		} catch (problem) {
			toast({ title: 'Not sent', description: messageOf(problem), destructive: true });
		} finally {
			setSaving(false);
		}
		reload();
	}

	const found = findUnsaved(useStore($unsavedCopies), 'issue');
	const isEmpty = form.articles.length === 0 && form.note === '' && form.links.length === 0;
	return (
		<div className="letter-columns">
			<div className="letter-form">
				<KeptNote />
				{found && changed.length === 0 && (
					<UnsavedNote
						found={found}
						isOlder={found[1].version < base.version}
						onUse={(copy) => {
							const [before, typed] = [copy.base as Form, copy.form as Form];
							const names = between(before, typed);
							const words = names.map((name) => [name, typed[name]] as const);
							const { articles, leftOut } = names.includes('posts') ? typed : form;
							edit({ ...Object.fromEntries(words), articles, leftOut });
						}}
					/>
				)}
				<p className="text-muted">
					Due on {timeIn(base.timeZone, base.at)}, for {plural(base.recipients, 'subscriber')}.{' '}
					{base.readers.each > 0 &&
						`${plural(base.readers.each, 'more')} ${base.readers.each === 1 ? 'gets' : 'get'} each article by itself. `}
					{base.readers.monthly > 0 &&
						`${plural(base.readers.monthly, 'more')} ${base.readers.monthly === 1 ? 'gets' : 'get'} one letter a month, of what the issues told. `}
					{isEmpty &&
						'Nothing new yet: an issue without articles, words and links does not go out.'}
				</p>
				{base.missed && (
					<p className="text-muted">
						The issue of {localDate(base.missed.date)} did not go out:{' '}
						{base.missed.why === 'nothing' ? 'there was nothing new.' : 'it was skipped.'}
					</p>
				)}
				{base.waiting && (
					<div className="letter-note" role="region" aria-label="Approval">
						<p>
							The issue of {localDate(base.waiting.date)} waits for your approval since{' '}
							{localTime(base.waiting.since)}.
						</p>
						<Button busy={saving} disabled={changed.length > 0} onClick={() => setAsking(true)}>
							Send it
						</Button>
						<SendQuestion
							open={asking}
							title={`Send the issue to ${plural(base.recipients, 'person', 'people')}?`}
							label={`Send to ${plural(base.recipients, 'person', 'people')}`}
							busy={saving}
							onClose={() => setAsking(false)}
							onSend={() => {
								setAsking(false);
								void approve();
							}}
						/>
						<Button
							variant="quiet"
							busy={saving}
							disabled={changed.length > 0}
							onClick={() => void skip()}
						>
							Skip it
						</Button>
					</div>
				)}
				<Choices
					legend="How it goes out"
					name="letter-mode"
					choices={MODES}
					chosen={form.mode}
					onChoose={(mode) => edit({ mode })}
				/>
				<Fold
					name="In the inbox"
					heading="h3"
					note={form.subject || base.usual.subject}
					isNeeded={Boolean(errors['subject'] ?? errors['preview'])}
				>
					<Field
						label="Subject"
						value={form.subject}
						placeholder={base.usual.subject}
						maxLength={150}
						error={errors['subject']}
						onChange={({ currentTarget }) => edit({ subject: currentTarget.value })}
					/>
					<Field
						label="Preview line"
						hint="Shown after the subject in an inbox. Without one, the titles."
						value={form.preview}
						placeholder={base.usual.preview}
						maxLength={200}
						error={errors['preview']}
						onChange={({ currentTarget }) => edit({ preview: currentTarget.value })}
					/>
				</Fold>
				<div>
					<h3 id="issue-words">Your words</h3>
					<TextField
						content={form.note}
						error={errors['note']}
						surface={surface}
						onChange={(note) => edit({ note })}
						hint="Before the articles, for every reader. In an email a figure is its caption and its table."
					/>
				</div>
				<div>
					<h3>Articles</h3>
					{form.articles.length === 0 && <p className="text-muted">None.</p>}
					<div className="letter-posts">
						<OrderedList
							label="Articles of the issue"
							items={form.articles}
							nameOf={({ title }) => title}
							removable
							onChange={(articles) => {
								const removed = form.articles.filter((article) => !articles.includes(article));
								setArticles(articles, [...form.leftOut, ...removed]);
							}}
						>
							{({ title }) => <span>{title}</span>}
						</OrderedList>
					</div>
					<FieldError>{errors['posts']}</FieldError>
					{form.leftOut.length > 0 && (
						<>
							<h4 className="mt-5 font-semibold">Left out</h4>
							<PutIn
								articles={form.leftOut}
								onPutIn={(article) =>
									setArticles(
										[...form.articles, article],
										form.leftOut.filter(({ id }) => id !== article.id),
									)
								}
							/>
						</>
					)}
					<AddArticle
						known={form.posts}
						onPutIn={(article) => setArticles([...form.articles, article])}
					/>
				</div>
				<IssueLinks links={form.links} errors={errors} onChange={(links) => edit({ links })} />
				{notice && <p role="alert">{notice}</p>}
				<div className="letter-actions">
					<Button busy={saving} disabled={changed.length === 0} onClick={() => void save()}>
						Save
					</Button>
					<span role="status" className="label">
						{changed.length > 0 ? 'Not saved' : 'Saved'}
					</span>
					<TestButton what="digest" label="Send it to me" onSent={() => {}} />
				</div>
			</div>
			<IssuePreview version={`${base.version} ${base.posts.join()}`} unsaved={changed.length > 0} />
		</div>
	);
}

type PutInProps = { articles: IssueArticle[]; onPutIn: (article: IssueArticle) => void };

function PutIn({ articles, onPutIn }: PutInProps) {
	return (
		<ul className="letter-found mt-2">
			{articles.map((article) => (
				<li key={article.id}>
					<span>{article.title}</span>
					<Button
						variant="quiet"
						aria-label={`Put in ${article.title}`}
						onClick={() => onPutIn(article)}
					>
						Put in
					</Button>
				</li>
			))}
		</ul>
	);
}

const FOUND = 5;

/** Older articles, by their titles. */
function AddArticle({
	known,
	onPutIn,
}: {
	known: string[];
	onPutIn: (article: IssueArticle) => void;
}) {
	const [q, setQ] = useState('');
	const wanted = q.trim();
	const found = useAsync(wanted, async () =>
		wanted === ''
			? []
			: (await callAsAdmin(listAdminPosts, { q: wanted, state: 'published', pageSize: FOUND }))
					.rows,
	);
	const rows = (found.data ?? []).filter(({ id }) => !known.includes(id));
	return (
		<div className="mt-5">
			<SearchField label="Add an older article" value={q} onSearch={setQ} />
			{wanted !== '' && found.data && rows.length === 0 && (
				<p className="field-hint mt-2">No other public article has that in its title.</p>
			)}
			<LoadError what="Articles" error={found.error} reload={found.reload} />
			<PutIn
				articles={rows.map(({ id, slug, title }) => ({ id, slug, title }))}
				onPutIn={(article) => {
					onPutIn(article);
					setQ('');
				}}
			/>
		</div>
	);
}
