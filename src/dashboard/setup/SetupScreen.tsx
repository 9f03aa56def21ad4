import { useRef, useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { accentForDark, judgeAccent } from '#src/core/settings/site-form.ts';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { finishSetup, getSetup, skipSetup } from '#src/features/setup/setup.api.ts';
import type { Setup } from '#src/features/setup/setup.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { joinWithAnd, plural } from '#src/lib/text.ts';
import { completed } from '#src/site.ts';
import '#src/dashboard/site/site.css';
import './setup.css';

const NOTHING = {};

/** The few questions that make the site its owner's. */
export function SetupScreen() {
	const { answer, error, reload } = useAnswer(getSetup, NOTHING);
	if (answer) return <SetupForm key={answer.site.version} setup={answer} reload={reload} />;
	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	return <Skeleton label="Loading the set-up" rows={6} />;
}

function SetupForm({ setup, reload }: { setup: Setup; reload: () => void }) {
	const { site, address, mailFrom, samples } = setup;
	const element = useRef<HTMLFormElement>(null);
	const [form, setForm] = useState({
		name: site.name,
		tagline: site.tagline,
		accent: site.accent,
		contactEmail: site.contactEmail,
		senderEmail: site.senderEmail,
	});
	const [choice, setChoice] = useState<'keep' | 'remove'>('keep');
	const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
	const [failure, setFailure] = useState('');
	const [busy, setBusy] = useState(false);
	const full = completed({ ...site, ...form, name: form.name.trim() || site.name });
	const { passes, verdict } = judgeAccent(form.accent, 'light');
	const counted = [
		...(samples.posts > 0 ? [plural(samples.posts, 'article')] : []),
		...(samples.states > 0 ? [plural(samples.states, 'state')] : []),
	];

	const control = (key: keyof typeof form, max: number) => ({
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
		if (busy) return;
		setBusy(true);
		setErrors({});
		setFailure('');
		try {
			const { undo } = await callAsAdmin(finishSetup, {
				...form,
				// A color that was not changed keeps its counterpart.
				accentDark: form.accent === site.accent ? site.accentDark : accentForDark(form.accent),
				samples: choice,
				version: site.version,
			});
			const description =
				choice === 'remove'
					? 'The sample content is gone. Write the first article.'
					: 'The pages follow in a moment.';
			tellUndoable({ title: 'The site is set up', description }, undo, reload);
			openScreen(choice === 'remove' ? 'create' : 'posts', {});
		} catch (problem) {
			const known = problem instanceof AppError ? problem : undefined;
			if (known?.stored) {
				setFailure('The site was changed elsewhere since. Reload the page to see how it is now.');
			} else if (known?.fields) {
				setErrors(known.fields);
				const [first] = Object.keys(known.fields);
				element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
			} else setFailure(messageOf(problem));
		} finally {
			setBusy(false);
		}
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
					{verdict} The dark theme gets a lighter one.
				</p>
			</div>
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
			{failure && (
				<p role="alert" className="field-error">
					{failure}
				</p>
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
