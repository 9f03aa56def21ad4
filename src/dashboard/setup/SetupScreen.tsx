import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { changePassword } from '#src/core/session/session.api.ts';
import { callAsAdmin, readAccount } from '#src/core/session/session.store.ts';
import {
	accentForDark,
	checkAccentContrast,
	nearestAccent,
	SITE_LABELS,
	type StoredSite,
} from '#src/core/settings/site-form.ts';
import { NewPasswordField } from '#src/dashboard/kit/NewPasswordField.tsx';
import { PasswordField } from '#src/dashboard/kit/PasswordField.tsx';
import { listBuilds, type BuildView } from '#src/core/builds/builds.api.ts';
import { TestButton } from '#src/dashboard/kit/WorkButton.tsx';
import { Records } from '#src/dashboard/mail/Records.tsx';
import { InventedProof } from '#src/dashboard/site/InventedProof.tsx';
import { LogoField, Mark, sourceOf } from '#src/dashboard/site/LookFields.tsx';
import { settingsOf, SITE } from '#src/dashboard/site/merge.ts';
import { TimeZoneField } from '#src/dashboard/site/TimeZoneField.tsx';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { $siteName } from '#src/dashboard/kit/site-name.store.ts';
import {
	$unsavedCopies,
	findUnsaved,
	forgetUnsaved,
	keepUnsaved,
} from '#src/dashboard/kit/unsaved.store.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { SMTP_LINE } from '#src/features/mail/records.ts';
import { finishSetup } from '#src/features/setup/finish.api.ts';
import { getSetup, skipSetup } from '#src/features/setup/setup.api.ts';
import type { Setup } from '#src/features/setup/setup.ts';
import { call, parse } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { readableEmail } from '#src/lib/readable-email.ts';
import { joinWithAnd, plural } from '#src/lib/text.ts';
import { USUAL_TIMES } from '#src/texts.ts';
import { completed, withoutSamples, type SiteSettings } from '#src/site.ts';
import { FirstSteps } from './FirstSteps.tsx';
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

type Answers = Pick<SiteSettings, (typeof KEYS)[number]>;
const KEYS = [
	...(['name', 'tagline', 'homeTitle', 'logo', 'accent', 'author'] as const),
	...(['contactEmail', 'senderEmail', 'timeZone', 'inventedProof'] as const),
] as const;

const answersOf = (site: SiteSettings) =>
	Object.fromEntries(KEYS.map((key) => [key, site[key]])) as Answers;

type TextKey = Exclude<keyof Answers, 'logo' | 'timeZone' | 'inventedProof'>;

type Typed = Answers & { ownEmail: string };
const KEPT = 'set-up';

/** Returns the answers as they were typed before the page was loaded again, or these. */
function keptAnswers(answers: Typed): Typed {
	const found = findUnsaved($unsavedCopies.get(), KEPT);
	if (!found) return answers;
	const [key, { form }] = found;
	forgetUnsaved(key);
	const typed = Object.entries(answers).map(([name, value]) => {
		const answer = form[name];
		return [name, typeof answer === 'string' ? answer : value];
	});
	return Object.fromEntries(typed) as Typed;
}

function SetupForm({ setup, reload }: { setup: Setup; reload: () => void }) {
	const { mailFrom, samples } = setup;
	/** The settings that the answers change, which others may have stored meanwhile. */
	const [site, setSite] = useState(setup.site);
	/** Fields that somebody else stored and that are answered here as well. */
	const [clashes, setClashes] = useState<(keyof Answers)[]>([]);
	const element = useRef<HTMLFormElement>(null);
	const [first] = useState(() => ({
		...answersOf(site),
		timeZone: site.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone,
		ownEmail: readableEmail(setup.ownEmail),
	}));
	const [{ ownEmail: keptEmail, ...kept }] = useState(() => keptAnswers(first));
	const [form, setForm] = useState<Answers>(kept);
	const [ownEmail, setOwnEmail] = useState(keptEmail);
	const [choice, setChoice] = useState<'keep' | 'remove'>('keep');
	const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
	const [failure, setFailure] = useState('');
	const [busy, setBusy] = useState(false);
	/** A changed password is no longer in its fields. */
	const [changes, setChanges] = useState(0);
	const [isDone, setDone] = useState(false);
	useEffect(() => {
		const typed = { ...form, ownEmail };
		const isTyped = !isDone && JSON.stringify(typed) !== JSON.stringify(first);
		keepUnsaved(KEPT, isTyped ? { version: site.version, base: first, form: typed } : null);
	}, [form, ownEmail, isDone, first, site.version]);
	const full = completed(
		{
			...{ ...site, ...form, name: form.name.trim() || site.name },
			...(choice === 'remove' && withoutSamples(site)),
		},
		USUAL_TIMES,
	);
	const { passes, verdict } = checkAccentContrast(form.accent, 'light');
	const nearest = nearestAccent(form.accent, 'light');
	const counted = [
		...(samples.posts > 0 ? [plural(samples.posts, 'article')] : []),
		...(samples.states > 0 ? [plural(samples.states, 'state')] : []),
	];

	const control = (key: TextKey, max: number) => ({
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
			const typed = Object.fromEntries(new FormData(element.current!)) as Record<string, string>;
			if (typed['password']) {
				await callAsAdmin(changePassword, parse(changePassword.input, typed));
				setChanges((count) => count + 1);
				toast({ title: 'Password changed', description: 'All other sessions have ended.' });
			}
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
			tellUndoable({ title: 'The site is set up' }, undo, reload);
			setDone(true);
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
		const { merged, disputed: clashes } = SITE.merge(before, { ...before, ...answers }, theirs);
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
			openScreen('home', {});
		} catch (problem) {
			setFailure(messageOf(problem));
		}
	}

	if (isDone) return <Next setup={setup} />;
	return (
		<div className="setup-page">
			<HomePicture site={full} accent={form.accent} passes={passes} />
			<form ref={element} method="post" noValidate className="setup" onSubmit={save}>
				<p className="text-muted">
					Two minutes, and the site is yours. Everything here can be changed later under Site.
				</p>
				<fieldset>
					<legend>The site</legend>
					<Field label="Name" {...control('name', 60)} />
					<Field
						label="Tagline"
						hint="What the site is about, in one line."
						{...control('tagline', 120)}
					/>
					<Field
						label="Headline"
						placeholder={full.homeTitle}
						hint="The first words of the home page."
						{...control('homeTitle', 120)}
					/>
					<LogoField
						logo={form.logo}
						name={full.name}
						error={errors['logo']}
						onEdit={({ logo = '' }) => setForm((before) => ({ ...before, logo }))}
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
				</fieldset>
				<fieldset>
					<legend>You</legend>
					<Field
						label="Author"
						placeholder={full.author}
						hint="Your name above what you write."
						{...control('author', 100)}
					/>
					<Field
						label="Your own address"
						name="ownEmail"
						type="email"
						autoComplete="email"
						hint={
							setup.ownEmail
								? 'You sign in with it. Messages of readers, links to a new password, tests and warnings go there.'
								: 'You sign in with it from now on. Messages of readers, links to a new password, tests and warnings go there; without it, to nobody.'
						}
						maxLength={254}
						value={ownEmail}
						error={errors['ownEmail']}
						onChange={({ currentTarget: { value } }) => {
							setOwnEmail(value);
							setErrors(({ ownEmail: _, ...others }) => others);
						}}
					/>
					<details key={changes}>
						<summary className="link">Choose a password of your own</summary>
						<div className="mt-3 grid gap-4">
							<PasswordField
								label="Password that you signed in with"
								name="current"
								autoComplete="current-password"
								error={errors['current']}
							/>
							<NewPasswordField error={errors['password']} />
						</div>
					</details>
				</fieldset>
				<fieldset>
					<legend>Mail</legend>
					<Field
						label="Address for readers"
						type="email"
						hint="On the contact page and in the terms. Without one, they lead to the contact form."
						{...control('contactEmail', 254)}
					/>
					<Field
						label="Sender of mail"
						type="email"
						placeholder={full.senderEmail}
						hint={
							mailFrom === null
								? form.senderEmail || form.contactEmail
									? 'What the weekly letter and all other mail come from: without one, the address for readers.'
									: 'What the weekly letter and all other mail come from. Give one before mail leaves: without, it is an address that does not exist.'
								: `The server sets MAIL_FROM, which wins: ${mailFrom}.`
						}
						{...control('senderEmail', 254)}
					/>
					<TimeZoneField
						value={form.timeZone}
						error={errors['timeZone']}
						onChange={(timeZone) => setForm({ ...form, timeZone })}
					/>
				</fieldset>
				{(counted.length > 0 || setup.letsInvent) && (
					<fieldset className="setup-samples">
						<legend>Sample content</legend>
						{counted.length > 0 && (
							<>
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
							</>
						)}
						{choice === 'remove' ? (
							<p role="status" className="field-hint">
								{joinWithAnd(counted)} that came with the site, their categories and tags, and the
								testimonials will go. What you wrote or changed stays. It can be undone for 30 days,
								in the log under Settings.
							</p>
						) : (
							setup.letsInvent && (
								<InventedProof
									value={form.inventedProof}
									onChange={(inventedProof) => setForm({ ...form, inventedProof })}
								/>
							)
						)}
					</fieldset>
				)}
				<FieldError>{failure}</FieldError>
				{clashes.length > 0 && (
					<ul className="setup-clashes" aria-label="Changed elsewhere">
						{clashes.map((key) => (
							<li key={key}>
								<span>
									{SITE_LABELS[key]}: “{key === 'logo' ? 'another one' : site[key]}” is stored
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
		</div>
	);
}

type PictureProps = { site: ReturnType<typeof completed>; accent: string; passes: boolean };

/** The top of the home page as the answers make it, in both themes. */
function HomePicture({ site, accent, passes }: PictureProps) {
	const colors = passes ? { light: accent, dark: accentForDark(accent) } : undefined;
	return (
		<div className="setup-picture" aria-hidden="true">
			{(['light', 'dark'] as const).map((theme) => (
				<div
					key={theme}
					style={{
						colorScheme: theme,
						...(colors && { ['--color-accent' as string]: colors[theme] }),
					}}
				>
					<p className="setup-picture-head">
						{site.logo ? <img src={sourceOf(site.logo)} alt="" /> : <Mark />}
						<strong>{site.name}</strong>
						{site.navigation.slice(1, 4).map(({ label }) => (
							<span key={label}>{label}</span>
						))}
					</p>
					<p className="setup-picture-title">{site.homeTitle}</p>
					<p>{site.homeText}</p>
					<p className="setup-picture-letter">
						<span>{site.newsletter}</span>
						<span className="site-sample-button">Subscribe</span>
					</p>
				</div>
			))}
		</div>
	);
}

const POLL_MS = 1500;

/** Says whether the public pages follow what was chosen, until they do. */
function Pages() {
	const [build, setBuild] = useState<BuildView>();
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		let isGone = false;
		async function look() {
			const [newest] = await call(listBuilds, {}).catch(() => []);
			if (isGone) return;
			setBuild(newest);
			if (!newest || ['queued', 'building'].includes(newest.state))
				timer = setTimeout(() => void look(), POLL_MS);
		}
		void look();
		return () => {
			isGone = true;
			clearTimeout(timer);
		};
	}, []);
	return (
		<p role="status" className="text-muted">
			{build && `${PAGES[build.state]} ${(build.state === 'failed' && build.reason) || ''}`}
		</p>
	);
}

const MADE = 'Your pages are being made. Until then the site shows the former ones.';
const PAGES: Record<BuildView['state'], string> = {
	queued: MADE,
	building: MADE,
	live: 'The site shows what you chose.',
	failed: 'The pages could not be made.',
};

/** The first things to do, and what only the server's environment can say. */
function Next({ setup: { address, sendsMail } }: { setup: Setup }) {
	const heading = useRef<HTMLHeadingElement>(null);
	useEffect(() => heading.current?.focus(), []);
	const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(address);
	const asked: { what: string; line: string }[] = [];
	if (isLocal)
		asked.push({
			what: `The address is ${address}, which only this machine can open.`,
			line: 'SITE_URL=https://your-domain.example',
		});
	if (!sendsMail)
		asked.push({
			what: 'No mail leaves this site yet: your mail provider says what stands here.',
			line: SMTP_LINE,
		});
	return (
		<div className="setup">
			<h2 ref={heading} tabIndex={-1}>
				It is yours. What first?
			</h2>
			<FirstSteps />
			<Pages />
			{asked.length > 0 && (
				<section>
					<h3>For whoever runs the server</h3>
					<p className="text-muted">
						Some things only its environment can say. Hand these lines on, with your own values:
					</p>
					<dl>
						{asked.map(({ what, line }) => (
							<div key={line} className="mt-3">
								<dt>{what}</dt>
								<dd>
									<code className="break-all">{line}</code>
								</dd>
							</div>
						))}
					</dl>
				</section>
			)}
			<Records />
			{sendsMail && <TestButton what="plain" label="Send me a test" onSent={() => {}} />}
		</div>
	);
}
