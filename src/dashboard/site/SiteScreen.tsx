import { useStore } from '@nanostores/react';
import { Fragment, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { SITE_LABELS, type StoredSite } from '#src/core/settings/site-form.ts';
import { getSettings } from '#src/core/settings/settings.api.ts';
import { getSite, updateSite } from '#src/core/settings/site.api.ts';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { Parts } from '#src/dashboard/kit/Parts.tsx';
import { partOf } from '#src/dashboard/kit/parts.ts';
import { $siteName } from '#src/dashboard/kit/site-name.store.ts';
import { tellUndoable, undo } from '#src/dashboard/kit/undoable.store.ts';
import { $unsavedCopies, findUnsaved, keepUnsaved } from '#src/dashboard/kit/unsaved.store.ts';
import { UnsavedNote } from '#src/dashboard/kit/UnsavedNote.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { TestButton } from '#src/dashboard/kit/WorkButton.tsx';
import { Records } from '#src/dashboard/mail/Records.tsx';
import { inputsOf, type More } from '#src/dashboard/records/inputs.tsx';
import { parse } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import { type LetterTimes, textOf, USUAL_TIMES, withTimes } from '#src/texts.ts';
import {
	completed,
	HOME_SECTIONS,
	type HomeSection,
	type Offer,
	OFFERS,
	type SiteSettings,
} from '#src/site.ts';
import { InventedProof } from './InventedProof.tsx';
import { DeadLinkNote, LinkFields } from './LinkFields.tsx';
import { LookFields } from './LookFields.tsx';
import { settingsOf, SITE, type SiteKey } from './merge.ts';
import { OrderedList } from './OrderedList.tsx';
import { OnThePage } from './on-page/OnThePage.tsx';
import { OFF_PAGES, ON_PAGE, SITE_PARTS } from './parts.ts';
import { TimeZoneField } from './TimeZoneField.tsx';
import { listAudit } from '#src/core/audit/audit.api.ts';
import { auditQuery } from '#src/core/audit/audit.ts';
import { sentenceOf } from '#src/core/audit/sentences.ts';

const NOTHING = {};

/** The site's name, looks, links and home page. */
export function SiteScreen() {
	const { answer, error, reload } = useAnswer(getSite, NOTHING);
	useEffect(() => {
		if (answer) $siteName.set(answer.name);
	}, [answer]);
	if (answer) return <SiteForm stored={answer} reload={reload} />;
	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	return <Skeleton label="Loading the site" rows={6} />;
}

/** Returns some fields of the settings. */
const pick = (from: SiteSettings, keys: readonly SiteKey[]): Partial<SiteSettings> =>
	Object.fromEntries(keys.map((key) => [key, from[key]]));

type Key = {
	[Key in SiteKey]: SiteSettings[Key] extends string ? Key : never;
}[SiteKey];

const NAMES: ({ key: Key } & More)[] = [
	{ key: 'name', maxLength: 60 },
	{
		key: 'tagline',
		maxLength: 120,
		hint: 'Beside the name on the home page, in the footer and in mail.',
	},
	{ key: 'description', maxLength: 300, rows: 3, hint: 'In search results and feeds.' },
	{ key: 'newsletter', maxLength: 60 },
	{ key: 'author', maxLength: 100, hint: 'Byline of articles without one of their own.' },
	{ key: 'publisher', maxLength: 100, hint: 'In structured data.' },
	{
		key: 'operator',
		maxLength: 300,
		hint: 'Name and postal address of who runs the site, for the privacy policy, the terms and the foot of every letter. Commercial mail in the US must carry a postal address.',
	},
];
const ADDRESSES: { key: 'contactEmail' | 'privacyEmail' | 'senderEmail'; hint: string }[] = [
	{
		key: 'contactEmail',
		hint: 'On the contact page and in the terms. Without one, they lead to the contact form. Messages arrive at the desk, and at the address that you sign in with.',
	},
	{
		key: 'privacyEmail',
		hint: 'For questions about personal data. Without one, the address for readers.',
	},
	{ key: 'senderEmail', hint: 'What mail comes from, unless MAIL_FROM is set on the server.' },
];
const LINKS = [
	{ key: 'navigation', hint: 'In the header, in this order. A path like /about, or an address.' },
	{ key: 'footerLinks', hint: 'The footer’s first list.' },
	{
		key: 'socialLinks',
		hint: 'The footer’s last list. {url} stands for the site’s address, {text} for its name and tagline.',
	},
] as const;
const SECTIONS: Record<HomeSection, string> = {
	offers: 'Course and figures',
	featured: 'Featured articles',
	categories: 'Categories',
	states: 'States',
	testimonials: 'Testimonials',
	recent: 'Recent posts',
	newsletter: 'Newsletter',
	questions: 'Questions',
};

/** Names of the entries that lists of the settings have. */
const NAMED: Record<HomeSection | Offer, string> = {
	...SECTIONS,
	course: 'Course',
	downloads: 'Downloads',
};
const OFFER_WORDS: Record<Offer, string> = {
	course:
		'The course of seven lessons that comes with the site, on the newsletter page and in search',
	downloads:
		'A guide, a field guide of all articles, a cheat sheet and a project template, in articles and on the newsletter page',
};

/** Returns what the tokens of texts become. */
const tokenWords = (site: { name: string; newsletter: string }, times: LetterTimes) =>
	`%SITE_NAME% becomes “${site.name}”, %NEWSLETTER% “${site.newsletter}”, ${[
		'WHEN',
		'EVERY',
		'OFTEN',
	]
		.map((name) => `%${name}% “${withTimes(`%${name}%`, times)}”`)
		.join(', ')}.`;

/** The form, kept apart from `stored`, which others may change meanwhile. */
function SiteForm({ stored, reload }: { stored: StoredSite; reload: () => void }) {
	const [base, setBase] = useState(stored);
	const [form, setForm] = useState(() => settingsOf(stored));
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [failure, setFailure] = useState('');
	/** The settings that somebody else stored, and the fields that both changed. */
	const [theirs, setTheirs] = useState<{ stored: StoredSite; clashes: SiteKey[] }>();
	const [saving, setSaving] = useState(false);
	const element = useRef<HTMLFormElement>(null);
	const changed = SITE.between(settingsOf(base), form);
	const isDirty = changed.length > 0;
	const part = partOf(SITE_PARTS, useQuery('site').query['part']);
	/** The fields of the page that is open, which are saved together, and those of them that are changed. */
	const { keys } = SITE_PARTS.find(({ name }) => name === part)!;
	const typed = keys.filter((key) => changed.includes(key));
	const found = findUnsaved(useStore($unsavedCopies), 'site');
	useEffect(() => {
		const { version } = base;
		keepUnsaved('site', isDirty ? { version, base: settingsOf(base), form } : null);
	}, [base, form]);

	// What was stored elsewhere shows at once where nothing is typed.
	if (stored.version > base.version && !isDirty && !saving) start(stored);

	function start(from: StoredSite) {
		setBase(from);
		setForm(settingsOf(from));
		setErrors({});
		setFailure('');
		setTheirs(undefined);
	}

	useEffect(() => {
		function onLeave(event: BeforeUnloadEvent) {
			if (isDirty) event.preventDefault();
		}
		function onKeyDown(event: KeyboardEvent) {
			const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's';
			if (!isSave || element.current?.closest('[hidden]')) return;
			event.preventDefault();
			element.current?.requestSubmit();
		}
		addEventListener('beforeunload', onLeave);
		document.addEventListener('keydown', onKeyDown);
		return () => {
			removeEventListener('beforeunload', onLeave);
			document.removeEventListener('keydown', onKeyDown);
		};
	}, [isDirty]);

	/** Changes fields. A changed one is no longer what was refused. */
	function edit(changes: Partial<SiteSettings>) {
		setForm((before) => ({ ...before, ...changes }));
		setErrors((before) => {
			const left = Object.entries(before).filter(([name]) => !(name.split('.')[0]! in changes));
			return Object.fromEntries(left);
		});
		setFailure('');
	}
	const edits = (key: SiteKey) => (value: SiteSettings[SiteKey]) => edit({ [key]: value });

	async function save(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (saving || theirs) return;
		if (typed.length === 0) {
			setFailure('Nothing is changed.');
			return;
		}
		await send(form, base, typed);
	}

	/**
	 * Stores these fields; what somebody else stored meanwhile is merged, and asked about where both changed it. Returns whether
	 * they are stored.
	 */
	async function send(
		next: SiteSettings,
		from: StoredSite,
		keys: readonly SiteKey[],
	): Promise<boolean> {
		setSaving(true);
		setErrors({});
		setFailure('');
		try {
			const changes = Object.fromEntries(keys.map((key) => [key, next[key]]));
			const input = parse(updateSite.input, changes);
			const { undo, ...saved } = await callAsAdmin(updateSite, {
				...input,
				version: from.version,
			});
			setBase(saved);
			const others = SITE.between(settingsOf(from), next).filter((key) => !keys.includes(key));
			const sent = { ...next, ...pick(settingsOf(from), others) };
			keepTyped(sent, settingsOf(saved));
			reload();
			const names = joinWithAnd(keys.map((key) => SITE_LABELS[key].toLowerCase()));
			const description = `Changed: ${names}. The pages follow in a minute or two.`;
			tellUndoable({ title: 'The site is saved', description }, undo, reload);
			return true;
		} catch (problem) {
			const known = problem instanceof AppError ? problem : undefined;
			if (known?.stored) {
				return await settle(next, from, known.stored as StoredSite, keys);
			}
			setErrors(known?.fields ?? {});
			if (!known?.fields) setFailure(messageOf(problem));
			const [first] = Object.keys(known?.fields ?? {});
			if (first) element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
			return false;
		} finally {
			setSaving(false);
		}
	}

	async function settle(
		mine: SiteSettings,
		from: StoredSite,
		there: StoredSite,
		keys: readonly SiteKey[],
	): Promise<boolean> {
		const { merged, disputed: clashes } = SITE.merge(settingsOf(from), mine, settingsOf(there));
		setBase(there);
		keepTyped(mine, merged);
		// Theirs has the places that I alone changed, too.
		const other = SITE.merge(settingsOf(from), settingsOf(there), mine).merged;
		if (clashes.length > 0) {
			setTheirs({ stored: { ...there, ...other }, clashes });
			return false;
		}
		const left = SITE.between(settingsOf(there), merged).filter((key) => keys.includes(key));
		return left.length === 0 || send(merged, there, left);
	}

	/** Shows what was made of what was sent, and keeps what was typed since. */
	function keepTyped(sent: SiteSettings, made: SiteSettings) {
		setForm((typed) => SITE.merge(sent, typed, made).merged);
	}

	/** Settles one field that both changed. */
	function choose(key: SiteKey, takesTheirs: boolean) {
		if (!theirs) return;
		if (takesTheirs) edit({ [key]: theirs.stored[key] });
		const clashes = theirs.clashes.filter((one) => one !== key);
		setTheirs(clashes.length > 0 ? { ...theirs, clashes } : undefined);
	}

	const full = completed({ ...form, name: form.name.trim() || base.name });
	const settings = useAnswer(getSettings, NOTHING).answer;
	const times = settings
		? { cadence: settings.letterCadence, day: settings.letterDay }
		: USUAL_TIMES;
	const tokens = tokenWords(full, times);
	const inputs = inputsOf(SITE_LABELS, { form, errors, setForm: edit });
	/** Returns a field; a text with tokens is said below it as readers see it. */
	const text = (key: Key, more: More) => {
		const said = withTimes(full[key], times);
		const hint = /%[A-Z_]+%/.test(form[key]) ? `Readers see: ${said}` : more.hint;
		return <Fragment key={key}>{inputs.text(key, { placeholder: said, ...more, hint })}</Fragment>;
	};
	const hidden = HOME_SECTIONS.filter((section) => !form.sections.includes(section));

	const pages: Record<string, ReactNode> = {
		Name: (
			<>
				<p>
					What is empty follows from the name, as the gray words say. The{' '}
					<button type="button" className="link" onClick={() => openScreen('setup')}>
						set-up
					</button>{' '}
					asks for the most important things, and removes the sample content.
				</p>
				<div className="site-fields">{NAMES.map(({ key, ...more }) => text(key, more))}</div>
			</>
		),
		[ON_PAGE]: (
			<>
				<p>
					Press a pencil to change a sentence. {tokens} Texts of whole pages, questions and
					testimonials are under{' '}
					<button type="button" className="link" onClick={() => openScreen('pages')}>
						Pages
					</button>
					.
				</p>
				<OnThePage
					{...{ form, errors, saving }}
					stored={settingsOf(base)}
					onEdit={edit}
					onSave={(key) => send(form, base, [key])}
				/>
			</>
		),
		Words: (
			<>
				<p>What no page shows. What is empty is said as the gray words say. {tokens}</p>
				{[...new Set(OFF_PAGES.map((key) => textOf(key).page))].map((page) => (
					<fieldset key={page} className="site-texts">
						<legend>{page}</legend>
						{OFF_PAGES.filter((key) => textOf(key).page === page).map((key) => {
							const { max: maxLength, rows, hint } = textOf(key);
							return (
								<div key={key}>
									{text(key, { maxLength, rows, hint })}
									{key === 'checkedPath' && <DeadLinkNote href={form.checkedPath} />}
								</div>
							);
						})}
					</fieldset>
				))}
				<label className="site-section">
					<input
						type="checkbox"
						name="asksReaders"
						checked={form.asksReaders === 'on'}
						onChange={({ currentTarget }) =>
							edit({ asksReaders: currentTarget.checked ? 'on' : 'off' })
						}
					/>
					Articles ask their readers whether they answered their question, and what is missing. What
					is answered stands under Posts, Due for review.
				</label>
				<fieldset className="site-texts">
					<legend>{SITE_LABELS.offered}</legend>
					{OFFERS.map((offer) => (
						<label key={offer} className="site-section">
							<input
								type="checkbox"
								checked={form.offered.includes(offer)}
								onChange={({ currentTarget: { checked } }) =>
									edit({
										offered: OFFERS.filter((one) =>
											one === offer ? checked : form.offered.includes(one),
										),
									})
								}
							/>
							{OFFER_WORDS[offer]}
						</label>
					))}
				</fieldset>
			</>
		),
		Looks: (
			<>
				<p>The accent color is text and buttons on light and on dark paper.</p>
				<div className="site-fields">
					<LookFields form={form} errors={errors} onEdit={edit} />
				</div>
			</>
		),
		Mail: (
			<>
				<p>Addresses that readers see, and when the letter leaves.</p>
				<div className="site-fields">
					{ADDRESSES.map(({ key, hint }) => text(key, { type: 'email', hint }))}
					<TimeZoneField
						value={form.timeZone}
						error={errors['timeZone']}
						onChange={edits('timeZone')}
					/>
				</div>
				<Records />
				<p className="mt-4">
					<TestButton what="plain" label="Send me a test" onSent={() => {}} />
				</p>
			</>
		),
		Links: (
			<>
				<p>Alt with an arrow key moves a link, too.</p>
				<div className="site-fields">
					{LINKS.map(({ key, hint }) => (
						<LinkFields
							key={key}
							name={key}
							label={SITE_LABELS[key]}
							hint={hint}
							links={form[key]}
							errors={errors}
							onChange={edits(key)}
							folds
						/>
					))}
				</div>
			</>
		),
		'Home page': (
			<>
				<p>Which sections it has below its head, and in which order.</p>
				<OrderedList
					label="Sections of the home page"
					items={form.sections}
					nameOf={(section) => SECTIONS[section]}
					onChange={edits('sections')}
				>
					{(section) => <SectionBox section={section} sections={form.sections} onEdit={edit} />}
				</OrderedList>
				{hidden.length > 0 && (
					<ul className="site-list" aria-label="Left out">
						{hidden.map((section) => (
							<li key={section}>
								<SectionBox section={section} sections={form.sections} onEdit={edit} />
							</li>
						))}
					</ul>
				)}
				<InventedProof value={form.inventedProof} onChange={edits('inventedProof')} />
			</>
		),
		History: (
			<>
				<p>Each save can be undone for 30 days, as long as its fields were not changed again.</p>
				<SiteHistory version={base.version} onUndone={reload} />
			</>
		),
	};

	return (
		<>
			{found && !isDirty && (
				<UnsavedNote
					found={found}
					isOlder={found[1].version < base.version}
					onUse={(copy) => {
						const [before, typed] = [copy.base as SiteSettings, copy.form as SiteSettings];
						const keys = SITE.between(before, typed);
						edit(Object.fromEntries(keys.map((key) => [key, typed[key]])));
					}}
				/>
			)}
			<Parts
				screen="site"
				of="site"
				parts={SITE_PARTS}
				unsaved={SITE_PARTS.filter((one) => one.keys.some((key) => changed.includes(key))).map(
					({ name }) => name,
				)}
			>
				{(name) =>
					name === part && (
						<form ref={element} method="post" noValidate onSubmit={save}>
							<section className="desk-section">
								<h2>{name}</h2>
								{pages[name]}
							</section>
							{theirs && <Clashes form={form} theirs={theirs} onChoose={choose} />}
							{keys.length > 0 && (part !== ON_PAGE || typed.length > 0) && (
								<div className="site-save">
									<FieldError>{failure}</FieldError>
									<Button type="submit" busy={saving} disabled={theirs !== undefined}>
										{saving ? 'Saving…' : 'Save the site'}
									</Button>
									{typed.length > 0 && !saving && (
										<>
											<Button variant="quiet" onClick={() => edit(pick(settingsOf(base), typed))}>
												Discard changes
											</Button>
											<span role="status" className="label">
												Not saved
											</span>
										</>
									)}
								</div>
							)}
						</form>
					)
				}
			</Parts>
		</>
	);
}

type ClashesProps = {
	form: SiteSettings;
	theirs: { stored: StoredSite; clashes: SiteKey[] };
	onChoose: (key: SiteKey, takesTheirs: boolean) => void;
};

/** Fields that somebody else saved and that are typed here, to choose. */
function Clashes({ form, theirs, onChoose }: ClashesProps) {
	const heading = useRef<HTMLHeadingElement>(null);
	// The question stands below a page that is higher than the window.
	useEffect(() => heading.current?.focus(), [theirs]);
	return (
		<section role="alert" className="site-conflict">
			<h2 ref={heading} tabIndex={-1}>
				Changed elsewhere
			</h2>
			<p>
				Somebody else saved the site since you opened it. Their other changes are in the form now;
				choose for what both of you changed.
			</p>
			<ul>
				{theirs.clashes.map((key) => (
					<li key={key}>
						<strong>{SITE_LABELS[key]}</strong>
						<span>Theirs: {wordsOf(theirs.stored[key])}</span>
						<span>Mine: {wordsOf(form[key])}</span>
						<span className="flex flex-wrap gap-3">
							<Button
								variant="quiet"
								aria-label={`Take theirs: ${SITE_LABELS[key]}`}
								onClick={() => onChoose(key, true)}
							>
								Take theirs
							</Button>
							<Button
								variant="quiet"
								aria-label={`Keep mine: ${SITE_LABELS[key]}`}
								onClick={() => onChoose(key, false)}
							>
								Keep mine
							</Button>
						</span>
					</li>
				))}
			</ul>
		</section>
	);
}

/** Returns a setting in words, to choose by. */
function wordsOf(value: SiteSettings[SiteKey]): string {
	if (typeof value !== 'string') {
		const words = value.map((item) => (typeof item === 'string' ? NAMED[item] : item.label));
		return words.join(', ') || 'none';
	}
	return value.startsWith('<svg') ? 'a drawing' : value || 'empty';
}

type SectionBoxProps = {
	section: HomeSection;
	sections: readonly HomeSection[];
	onEdit: (changes: Partial<SiteSettings>) => void;
};

/** Whether the home page has a section. One that is put back comes last. */
function SectionBox({ section, sections, onEdit }: SectionBoxProps) {
	return (
		<label className="site-section">
			<input
				type="checkbox"
				checked={sections.includes(section)}
				onChange={({ currentTarget }) =>
					onEdit({
						sections: currentTarget.checked
							? [...sections, section]
							: sections.filter((one) => one !== section),
					})
				}
			/>
			{SECTIONS[section]}
		</label>
	);
}

const QUERY = parse(auditQuery, { q: 'site settings' });

/** History of the site's settings, each save with the way back. `version` is the stored one: with another it looks again. */
function SiteHistory({ version, onUndone }: { version: number; onUndone: () => void }) {
	return <Entries key={version} onUndone={onUndone} />;
}

function Entries({ onUndone }: { onUndone: () => void }) {
	const { answer, error, reload } = useAnswer(listAudit, QUERY);
	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	if (!answer) return <Skeleton label="Loading the history" rows={2} />;
	if (answer.rows.length === 0) {
		return <p className="text-muted">Nothing was changed yet. What you save is listed here.</p>;
	}
	return (
		<ol className="site-history">
			{answer.rows.map(({ id, actor, undo: token, createdAt, ...told }) => (
				<li key={id}>
					<span>
						<span className="label">
							<When at={createdAt} hour /> · {actor}
						</span>
						<span className="block break-words">{sentenceOf(told)}</span>
					</span>
					{token && (
						<Button
							variant="quiet"
							aria-label={`Undo: ${sentenceOf(told)}`}
							onClick={() => void undo(token, onUndone)}
						>
							Undo
						</Button>
					)}
				</li>
			))}
		</ol>
	);
}
