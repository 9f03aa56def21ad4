import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { callAsAdmin, readAccount } from '#src/core/session/session.store.ts';
import {
	accentForDark,
	checkAccentContrast,
	nearestAccent,
	SITE_LABELS,
	type StoredSite,
} from '#src/core/settings/site-form.ts';
import { mergeSettings, settingsOf } from '#src/dashboard/site/merge.ts';
import { TimeZoneField } from '#src/dashboard/site/TimeZoneField.tsx';
import { openScreen, screenAddress } from '#src/dashboard/kit/address.store.ts';
import { $siteName } from '#src/dashboard/kit/site-name.store.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { finishSetup, getSetup, skipSetup } from '#src/features/setup/setup.api.ts';
import type { Setup } from '#src/features/setup/setup.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { readableEmail } from '#src/lib/readable-email.ts';
import { joinWithAnd, plural } from '#src/lib/text.ts';
import { completed, type SiteSettings } from '#src/site.ts';
import '#src/dashboard/site/site.css';
import './setup.css';

const NOTHING = {};

/** The few questions that make the site its owner's. */
export function SetupScreen() {
	const { answer, error, reload } = useAnswer(getSetup, NOTHING);
	useEffect(() => {
		if (answer) $siteName.set(answer.site.name);
	}, [answer]);
	if (answer) return <SetupForm key={answer.site.version} setup={answer} reload={reload} />;
	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	return <Skeleton label="Loading the set-up" rows={6} />;
}

type Answers = Pick<
	SiteSettings,
	'name' | 'tagline' | 'accent' | 'contactEmail' | 'senderEmail' | 'timeZone'
>;
const KEYS = ['name', 'tagline', 'accent', 'contactEmail', 'senderEmail', 'timeZone'] as const;

const answersOf = (site: SiteSettings) =>
	Object.fromEntries(KEYS.map((key) => [key, site[key]])) as Answers;

function SetupForm({ setup, reload }: { setup: Setup; reload: () => void }) {
	const { address, mailFrom, samples } = setup;
	/** The settings that the answers change, which others may have stored meanwhile. */
	const [site, setSite] = useState(setup.site);
	/** Fields that somebody else stored and that are answered here as well. */
	const [clashes, setClashes] = useState<(keyof Answers)[]>([]);
	const element = useRef<HTMLFormElement>(null);
	const [form, setForm] = useState<Answers>(() => ({
		...answersOf(site),
		timeZone: site.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone,
	}));
	const [ownEmail, setOwnEmail] = useState(readableEmail(setup.ownEmail));
	const [choice, setChoice] = useState<'keep' | 'remove'>('keep');
	const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
	const [failure, setFailure] = useState('');
	const [busy, setBusy] = useState(false);
	const full = completed({ ...site, ...form, name: form.name.trim() || site.name });
	const { passes, verdict } = checkAccentContrast(form.accent, 'light');
	const nearest = nearestAccent(form.accent, 'light');
	const counted = [
		...(samples.posts > 0 ? [plural(samples.posts, 'article')] : []),
		...(samples.states > 0 ? [plural(samples.states, 'state')] : []),
	];

	const control = (key: Exclude<keyof Answers, 'timeZone'>, max: number) => ({
		name: key,
		value: form[key],
		error: errors[key],
		maxLength: max,
		autoComplete: 'off',
		onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
			setForm({ ...form, [key]: currentTarget.value });
			setErrors(({ [key]: _, ...others }) => others);
		},
	});

	async function save(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (!busy) await send(form, site);
	}

	async function send(answers: Answers, base: StoredSite): Promise<void> {
		setBusy(true);
		setErrors({});
		setFailure('');
		setClashes([]);
		try {
			const { name, undo } = await callAsAdmin(finishSetup, {
				...answers,
				// A color that was not changed keeps its counterpart.
				accentDark:
					answers.accent === base.accent ? base.accentDark : accentForDark(answers.accent),
				ownEmail,
				samples: choice,
				version: base.version,
			});
			$siteName.set(name);
			if (ownEmail) readAccount().catch(() => {});
			const description =
				choice === 'remove'
					? 'The sample content is gone. Write the first article.'
					: 'The pages follow in a minute or two.';
			tellUndoable({ title: 'The site is set up', description }, undo, reload);
			openScreen(choice === 'remove' ? 'create' : 'posts', {});
		} catch (problem) {
			const known = problem instanceof AppError ? problem : undefined;
			if (known?.stored) await merge(answers, base, known.stored as StoredSite);
			else if (known?.fields) {
				setErrors(known.fields);
				const [first] = Object.keys(known.fields);
				element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
			} else setFailure(messageOf(problem));
		} finally {
			setBusy(false);
		}
	}

	/** Goes on from what somebody else stored meanwhile, and asks where both answered. */
	async function merge(answers: Answers, base: StoredSite, stored: StoredSite): Promise<void> {
		const [before, theirs] = [settingsOf(base), settingsOf(stored)];
		const { merged, clashes } = mergeSettings(before, { ...before, ...answers }, theirs);
		const asked = KEYS.filter((key) => clashes.includes(key));
		setSite(stored);
		setForm(answersOf(merged));
		if (asked.length === 0) return send(answersOf(merged), stored);
		setClashes(asked);
		setFailure('The site was changed elsewhere since. Look at what differs, then save again.');
	}

	async function skip() {
		try {
			await callAsAdmin(skipSetup, {});
			openScreen('posts', {});
		} catch (problem) {
			setFailure(messageOf(problem));
		}
	}

	return (
		<form ref={element} method="post" noValidate className="setup" onSubmit={save}>
			<p className="text-muted">
				Two minutes, and the site is yours. Everything here can be changed later under Site.
			</p>
			<p className="field-hint">
				You bring a site along?{' '}
				<a className="link" href={screenAddress('settings', { part: 'Import and export' })}>
					Import and export
				</a>{' '}
				takes articles from Ghost, WordPress, Substack or Markdown at any time. A whole archive is
				restored by <code>npm run restore-archive</code>, into an empty database.
			</p>
			<Field label="Name" {...control('name', 60)} />
			<Field
				label="Tagline"
				hint="What the site is about, in one line."
				{...control('tagline', 120)}
			/>
			<div className="site-accent">
				<Field label="Accent color" {...control('accent', 7)} spellCheck={false} />
				<input
					type="color"
					aria-label="Pick the accent color"
					value={/^#[0-9a-f]{6}$/i.test(form.accent) ? form.accent : '#000000'}
					onChange={({ currentTarget }) => setForm({ ...form, accent: currentTarget.value })}
				/>
				<p className="site-verdict" role="status" data-bad={!passes || undefined}>
					{errors['accent'] !== verdict && `${verdict} `}The dark theme gets a lighter one.
				</p>
				{!passes && nearest && (
					<Button
						variant="quiet"
						onClick={() => {
							setForm({ ...form, accent: nearest });
							setErrors(({ accent: _, ...others }) => others);
						}}
					>
						Use {nearest}
					</Button>
				)}
			</div>
			<Field
				label="Your own address"
				name="ownEmail"
				type="email"
				autoComplete="email"
				hint={
					setup.ownEmail
						? 'You sign in with it. Links to a new password, tests and warnings go there.'
						: 'You sign in with it from now on. Links to a new password, tests and warnings go there; without it, to nobody.'
				}
				maxLength={254}
				value={ownEmail}
				error={errors['ownEmail']}
				onChange={({ currentTarget: { value } }) => {
					setOwnEmail(value);
					setErrors(({ ownEmail: _, ...others }) => others);
				}}
			/>
			<Field
				label="Address for readers"
				type="email"
				placeholder={full.contactEmail}
				hint="On the contact page."
				{...control('contactEmail', 254)}
			/>
			<Field
				label="Sender of mail"
				type="email"
				placeholder={full.senderEmail}
				hint={
					mailFrom === null
						? 'What the weekly letter and all other mail come from.'
						: `The server sets MAIL_FROM, which wins: ${mailFrom}.`
				}
				{...control('senderEmail', 254)}
			/>
			<TimeZoneField
				value={form.timeZone}
				error={errors['timeZone']}
				onChange={(timeZone) => setForm({ ...form, timeZone })}
			/>
			<p className="field-hint">The web address is {address}. SITE_URL on the server sets it.</p>
			{counted.length > 0 && (
				<fieldset className="setup-samples">
					<legend>Sample content</legend>
					<label>
						<input
							type="radio"
							name="samples"
							checked={choice === 'keep'}
							onChange={() => setChoice('keep')}
						/>
						Keep it, to see how everything looks
					</label>
					<label>
						<input
							type="radio"
							name="samples"
							checked={choice === 'remove'}
							onChange={() => setChoice('remove')}
						/>
						Start empty
					</label>
					{choice === 'remove' && (
						<p role="status" className="field-hint">
							{joinWithAnd(counted)} that came with the site, their categories and tags, and the
							testimonials will go. What you wrote or changed stays. It can be undone for 30 days,
							in the log under Settings.
						</p>
					)}
				</fieldset>
			)}
			<FieldError>{failure}</FieldError>
			{clashes.length > 0 && (
				<ul className="setup-clashes" aria-label="Changed elsewhere">
					{clashes.map((key) => (
						<li key={key}>
							<span>
								{SITE_LABELS[key]}: “{site[key]}” is stored
							</span>
							<Button
								variant="quiet"
								onClick={() => {
									setForm({ ...form, [key]: site[key] });
									setClashes(clashes.filter((one) => one !== key));
								}}
							>
								Take it<span className="sr-only"> for {SITE_LABELS[key]}</span>
							</Button>
						</li>
					))}
				</ul>
			)}
			<p className="flex flex-wrap gap-3">
				<Button type="submit" busy={busy}>
					{choice === 'remove' ? 'Set up and start empty' : 'Set up the site'}
				</Button>
				{setup.isDue && (
					<Button variant="quiet" onClick={() => void skip()}>
						Skip
					</Button>
				)}
			</p>
		</form>
	);
}
