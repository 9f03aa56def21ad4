import { useEffect, useState, type ReactNode, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Done } from '#src/components/ui/Done.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { setSubscribed } from './subscribed.store.ts';
import { requestData } from '#src/features/privacy/privacy.api.ts';
import { DATA_REQUESTED, dataForm } from '#src/features/privacy/privacy.ts';
import { localDate, longDate } from '#src/lib/dates.ts';
import { call, endpoint } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import * as z from 'zod/mini';
import { OPEN_FROM_EMAIL, NEW_LINK, type Screen } from '#src/core/screen.ts';

type Props = {
	/** Path to post to, which is also that of the page. */
	path: string;
	/** Shown before the first request. */
	first: Screen;
	/** Requests the current state at once; otherwise only a click sends anything. */
	ask?: boolean;
	/** Shown below for visitors without a link. */
	children?: ReactNode;
};

/**
 * The page behind a link in an email, whose token is in the address. Without JavaScript each button posts the
 * page to its own address, and a function responds with the same screen as a page. Visitors without a link can
 * request one.
 */
export const LinkScreen = island(Link, 'page');

function Link({ path, first, ask = false, children }: Props) {
	const [screen, setScreen] = useState(first);
	const [busy, setBusy] = useState<string>();
	const [error, setError] = useState('');
	/**
	 * Why there is nothing behind the link; `undefined` until the address has been read, which the prebuilt
	 * page cannot do.
	 */
	const [lost, setLost] = useState<string | false>();

	async function send(choice?: string) {
		setBusy(choice ?? '');
		setError('');
		try {
			const next = await call(endpointOf(path), { token: token(), ...(choice && { choice }) });
			setScreen(next);
			if (next.subscribed !== undefined) setSubscribed(next.subscribed);
		} catch (problem) {
			if (problem instanceof AppError && problem.fields?.['token']) setLost(messageOf(problem));
			else setError(messageOf(problem));
		} finally {
			setBusy(undefined);
		}
	}
	useEffect(() => {
		if (!token()) return setLost(OPEN_FROM_EMAIL);
		setLost(false);
		if (ask) void send();
	}, []);

	function submit(event: SubmitEvent<HTMLFormElement>) {
		const button = event.nativeEvent.submitter as HTMLButtonElement | null;
		const choices = screen.sections.flatMap((section) => section.choices);
		// The browser saves a file itself and stays on the page.
		if (choices.some(({ value, isFile }) => isFile && value === button?.value)) return;
		event.preventDefault();
		if (busy !== undefined) return;
		void send(button?.value || undefined);
	}

	return (
		<div aria-busy={busy !== undefined}>
			<h1>{screen.title}</h1>
			{/* As high as what most pages say first: what is below stays where it is. */}
			<div aria-live="polite" className="min-h-28">
				{lost && <p className="lede mt-8">{lost}</p>}
				{(lost ? [] : screen.sections).map(({ title, text, when, steps = [], choices }, index) => (
					<div key={index} className="mt-8">
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
										variant={quiet || lost === undefined ? 'quiet' : 'primary'}
										busy={busy === value}
									>
										{label}
									</Button>
								))}
							</form>
						)}
					</div>
				))}
			</div>
			{lost !== false && <NewLink>{children}</NewLink>}
			{error && (
				<p role="alert" className="field-error mt-6">
					{error}
				</p>
			)}
		</div>
	);
}

/** Emails a new link to visitors who have none. */
function NewLink({ children }: { children: ReactNode }) {
	const [sent, setSent] = useState(false);
	return (
		<section className="frame mt-6 bg-sunken p-6" aria-labelledby="new-link">
			<h2 id="new-link" className="text-xl!">
				{NEW_LINK.title}
			</h2>
			<p className="mt-3 mb-5 text-muted">{NEW_LINK.text}</p>
			{sent ? (
				<Done className="font-semibold">{DATA_REQUESTED}</Done>
			) : (
				<Form
					endpoint={requestData}
					form={dataForm}
					busy="Sending…"
					onSuccess={() => setSent(true)}
					className="form-inline"
				/>
			)}
			{children}
		</section>
	);
}

const token = () => new URLSearchParams(location.search).get('token') ?? '';

const endpointOf = (path: string) =>
	endpoint<Screen>()(
		`POST ${path}`,
		z.object({ token: z.string(), choice: z.optional(z.string()) }),
	);
