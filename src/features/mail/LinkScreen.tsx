import { useEffect, useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { setSubscribed } from '#src/features/newsletter/subscribed.store.ts';
import { localDate, longDate } from '#src/lib/dates.ts';
import { call, endpoint } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import * as z from 'zod/mini';
import type { Screen } from './screen.ts';

type Props = {
	/** Where it posts to: also the address of the page itself. */
	path: string;
	/** What is shown before anything was asked for. */
	first: Screen;
	/** Asks at once for how things stand; otherwise only a click does anything. */
	ask?: boolean;
};

/**
 * What stands behind a mail's link: its token is in the page's address. Without JavaScript each button posts the page
 * to its own address, and a function answers with the same screen as a page.
 */
export const LinkScreen = island(Link, 'page');

function Link({ path, first, ask = false }: Props) {
	const [screen, setScreen] = useState(first);
	const [busy, setBusy] = useState<string>();
	const [error, setError] = useState('');

	async function send(choice?: string) {
		const token = new URLSearchParams(location.search).get('token');
		if (!token) return setError(NO_TOKEN);
		setBusy(choice ?? '');
		setError('');
		try {
			const next = await call(endpointOf(path), { token, ...(choice && { choice }) });
			setScreen(next);
			if (next.subscribed !== undefined) setSubscribed(next.subscribed);
		} catch (problem) {
			setError(messageOf(problem));
		} finally {
			setBusy(undefined);
		}
	}
	useEffect(() => {
		if (ask) void send();
	}, []);

	function submit(event: SubmitEvent<HTMLFormElement>) {
		const button = event.nativeEvent.submitter as HTMLButtonElement | null;
		const choices = screen.sections.flatMap((section) => section.choices);
		// The browser itself saves a file, and stays on the page.
		if (choices.some(({ value, isFile }) => isFile && value === button?.value)) return;
		event.preventDefault();
		if (busy !== undefined) return;
		void send(button?.value || undefined);
	}

	return (
		<div aria-busy={busy !== undefined}>
			<h1>{screen.title}</h1>
			<div aria-live="polite">
				{screen.sections.map(({ title, text, when, steps = [], choices }, index) => (
					<section key={index} className="mt-8">
						{title && <h2 className="text-xl!">{title}</h2>}
						<p className="mt-2 text-muted">
							{when ? text.replace(longDate(when), localDate(when)) : text}
						</p>
						{steps.length > 0 && (
							<ol className="frame mt-6 grid gap-1 p-5">
								{steps.map(({ label, state, note }) => (
									<li
										key={label}
										className={`flex min-h-9 flex-wrap items-baseline justify-between gap-x-4 ${state === 'next' ? 'font-semibold' : state === 'ahead' ? 'text-muted' : ''}`}
									>
										<span>{label}</span>
										<span className="label">{note}</span>
									</li>
								))}
							</ol>
						)}
						{choices.length > 0 && (
							<form method="post" onSubmit={submit} className="mt-5 flex flex-wrap gap-3">
								{choices.map(({ value, label, quiet }) => (
									<Button
										key={value}
										type="submit"
										name="choice"
										value={value}
										variant={quiet ? 'quiet' : 'primary'}
										busy={busy === value}
									>
										{label}
									</Button>
								))}
							</form>
						)}
					</section>
				))}
			</div>
			{error && (
				<p role="alert" className="field-error mt-6">
					{error}
				</p>
			)}
		</div>
	);
}

const NO_TOKEN = 'This page opens from a link in our mail, and the link was not complete.';

const endpointOf = (path: string) =>
	endpoint<Screen>()({
		method: 'POST',
		path,
		input: z.object({ token: z.string(), choice: z.optional(z.string()) }),
	});
