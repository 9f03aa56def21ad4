import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { encode } from 'uqr';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { browserOf } from '#src/core/session/browser.ts';
import { removePasskey } from '#src/core/session/passkeys.api.ts';
import { hasPasskeys, makePasskey } from '#src/core/session/passkeys.store.ts';
import { newPasskey, type Passkey } from '#src/core/session/passkeys.ts';
import {
	getSecondFactor,
	offerSecondFactor,
	renewRecoveryCodes,
	turnOffSecondFactor,
	turnOnSecondFactor,
} from '#src/core/session/second-factor.api.ts';
import { confirmation, RECOVERY_CODES, type Offer } from '#src/core/session/second-factor.ts';
import { callAfterSignIn, callAsAdmin } from '#src/core/session/session.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { COPY_KEYS, copyText } from '#src/lib/clipboard.ts';
import { localTime } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';

const NOTHING = {};

/** Shows and changes what signing in takes besides the password. */
export function SecondFactor() {
	const { answer, error, reload } = useAnswer(getSecondFactor, NOTHING);
	const [offer, setOffer] = useState<Offer>();
	const [codes, setCodes] = useState<string[]>();
	const [busy, setBusy] = useState(false);

	/** Does what a click asks for, one thing at a time, and tells why it was not done. */
	async function work(title: string, task: () => Promise<void>) {
		if (busy) return;
		setBusy(true);
		try {
			await task();
			reload();
		} catch (problem) {
			toast({ title, description: messageOf(problem), destructive: true });
		} finally {
			setBusy(false);
		}
	}
	const begin = () =>
		work('Not started', async () => setOffer(await callAsAdmin(offerSecondFactor, {})));
	const renew = () =>
		work('Not made', async () => setCodes((await callAfterSignIn(renewRecoveryCodes, {})).codes));

	async function turnOn(code: string) {
		const made = await callAsAdmin(turnOnSecondFactor, { code, key: offer!.key });
		setOffer(undefined);
		setCodes(made.codes);
		toast({ title: 'Codes are on', description: 'All other sessions have ended.' });
		reload();
	}

	const isOn = answer && (answer.appSince !== null || answer.passkeys.length > 0);
	return (
		<>
			<h2>Sign-in</h2>
			<p>
				A password can be guessed or stolen. With a passkey or an authenticator app, it opens
				nothing by itself.
			</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading sign-in" rows={2} />}
			{codes && <Codes codes={codes} onKept={() => setCodes(undefined)} />}
			{!codes && offer && (
				<div className="grid max-w-md gap-4">
					<p>
						Scan this with an authenticator app, or type its key there. Then enter the code that the
						app shows: from then on it is asked for.
					</p>
					<QrCode text={offer.address} />
					<p>
						<code>{offer.key.match(/.{4}/g)!.join(' ')}</code>
					</p>
					<p>
						<a className="link" href={offer.address}>
							Open it in an app on this device
						</a>
					</p>
					<CodeForm offer={offer} onSend={turnOn} onCancel={() => setOffer(undefined)} />
				</div>
			)}
			{!codes && !offer && answer && (
				<>
					<Passkeys
						passkeys={answer.passkeys}
						onMade={(made) => {
							if (made.length > 0) setCodes(made);
							reload();
						}}
						onRemove={({ id, name }) =>
							void work('Not removed', async () => {
								await callAfterSignIn(removePasskey, { id });
								toast({ title: 'Passkey removed', description: name });
							})
						}
					/>
					<h3>Authenticator app</h3>
					{answer.appSince ? (
						<div className="flex flex-wrap items-center gap-3">
							<p>
								<span className="badge badge-on">On</span> since {localTime(answer.appSince)}.
							</p>
							<TurnOff
								onDone={reload}
								text={
									answer.passkeys.length > 0
										? 'Only passkeys and recovery codes will be asked for besides the password.'
										: 'The password alone will be enough to sign in, and the recovery codes end.'
								}
							/>
						</div>
					) : (
						<Button variant="quiet" busy={busy} onClick={() => void begin()}>
							Set up an authenticator app
						</Button>
					)}
					{isOn && (
						<>
							<h3>Recovery codes</h3>
							<p className="mb-3">
								{plural(answer.codesLeft, 'recovery code')} left.
								{answer.codesLeft <= 3 && ' Make new ones before the last is used.'}
							</p>
							<Button variant="quiet" busy={busy} onClick={() => void renew()}>
								Make new recovery codes
							</Button>
						</>
					)}
				</>
			)}
		</>
	);
}

/** The list of passkeys, and a form for another one. */
function Passkeys({
	passkeys,
	onMade,
	onRemove,
}: {
	passkeys: Passkey[];
	onMade: (codes: string[]) => void;
	onRemove: (passkey: Passkey) => void;
}) {
	const [name, setName] = useState(() => browserOf(navigator.userAgent));
	const [refused, setRefused] = useState('');
	const [busy, setBusy] = useState(false);

	async function add(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (busy) return;
		setBusy(true);
		setRefused('');
		try {
			const { codes } = await makePasskey(parse(newPasskey.shape.name, name));
			toast({ title: 'Passkey added', description: name });
			onMade(codes);
		} catch (problem) {
			setRefused(messageOf(problem));
		} finally {
			setBusy(false);
		}
	}

	return (
		<>
			<h3>Passkeys</h3>
			{passkeys.length > 0 && (
				<ul className="sessions" aria-label="Passkeys">
					{passkeys.map((passkey) => (
						<li key={passkey.id}>
							<span>
								<strong>{passkey.name}</strong>
								<span className="label">
									{passkey.lastUsedAt
										? `last used ${localTime(passkey.lastUsedAt)}`
										: `not used since ${localTime(passkey.createdAt)}`}
								</span>
							</span>
							<Button
								variant="quiet"
								aria-label={`Remove ${passkey.name}`}
								onClick={() => onRemove(passkey)}
							>
								Remove
							</Button>
						</li>
					))}
				</ul>
			)}
			{hasPasskeys() ? (
				<form method="post" noValidate onSubmit={add} className="mt-4 grid max-w-md gap-3">
					<Field
						label="Name of this device"
						value={name}
						maxLength={60}
						onChange={(event) => setName(event.target.value)}
						error={refused || undefined}
						hint="A passkey signs you in with a finger, a face or a PIN, and cannot be passed on to a page that imitates this one."
					/>
					<Button type="submit" variant="quiet" className="justify-self-start" busy={busy}>
						{busy ? 'Asking the device…' : 'Add a passkey'}
					</Button>
				</form>
			) : (
				<p className="text-muted">This browser knows no passkeys.</p>
			)}
		</>
	);
}

/** Turns the authenticator app off, once it was asked for twice. */
function TurnOff({ text, onDone }: { text: string; onDone: () => void }) {
	const [isAsking, setAsking] = useState(false);
	const [error, setError] = useState('');

	async function turnOff() {
		setError('');
		try {
			await callAfterSignIn(turnOffSecondFactor, {});
			setAsking(false);
			toast({ title: 'Codes are off' });
			onDone();
		} catch (problem) {
			setError(messageOf(problem));
		}
	}

	return (
		<>
			<Button variant="quiet" onClick={() => setAsking(true)}>
				Turn off codes
			</Button>
			<Dialog
				open={isAsking}
				onClose={() => setAsking(false)}
				title="Turn off codes"
				closeLabel="Cancel"
			>
				<p className="mb-4 text-muted">{text}</p>
				<Button onClick={() => void turnOff()}>Turn off</Button>
				{error && (
					<p role="alert" className="field-error">
						{error}
					</p>
				)}
			</Dialog>
		</>
	);
}

/** Asks for a code of a new app, and keeps it where it is refused. */
function CodeForm({
	offer,
	onSend,
	onCancel,
}: {
	offer: Offer;
	onSend: (code: string) => Promise<void>;
	onCancel: () => void;
}) {
	const [refused, setRefused] = useState('');
	const [sending, setSending] = useState(false);

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const form = event.currentTarget;
		setSending(true);
		setRefused('');
		try {
			const typed = Object.fromEntries(new FormData(form));
			await onSend(parse(confirmation, { ...typed, key: offer.key }).code);
		} catch (problem) {
			const wrong = (problem instanceof AppError && problem.fields) || {};
			setRefused(wrong['code'] ?? messageOf(problem));
			form.querySelector('input')?.focus();
		} finally {
			setSending(false);
		}
	}

	return (
		<form method="post" noValidate onSubmit={send} className="grid gap-4">
			<Field
				label="Code"
				name="code"
				required
				autoComplete="one-time-code"
				autoCapitalize="none"
				spellCheck={false}
				error={refused || undefined}
			/>
			<div className="flex flex-wrap gap-3">
				<Button type="submit" busy={sending}>
					{sending ? 'Turning on…' : 'Turn on codes'}
				</Button>
				<Button variant="quiet" onClick={onCancel}>
					Cancel
				</Button>
			</div>
		</form>
	);
}

/** Shows new recovery codes until they are kept. */
function Codes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
	const heading = useRef<HTMLHeadingElement>(null);
	const list = useRef<HTMLUListElement>(null);
	useEffect(() => heading.current?.focus(), []);

	async function copy() {
		if (await copyText(codes.join('\n'))) return toast({ title: 'Copied' });
		getSelection()?.selectAllChildren(list.current!);
		toast({
			title: 'Not copied',
			description: `The codes are selected. ${COPY_KEYS}`,
			destructive: true,
		});
	}
	return (
		<div role="group" aria-labelledby="recovery-codes" className="grid gap-4">
			<h3 id="recovery-codes" tabIndex={-1} ref={heading}>
				Your {RECOVERY_CODES} recovery codes
			</h3>
			<p>
				Each of them signs you in once, with your password, where the app or the passkey is lost.
				They are shown only now: keep them where you would still have them without your phone.
			</p>
			<ul ref={list} className="recovery-codes">
				{codes.map((code) => (
					<li key={code}>
						<code>{code}</code>
					</li>
				))}
			</ul>
			<div className="flex flex-wrap gap-3">
				<Button onClick={onKept}>I have kept them</Button>
				<Button variant="quiet" onClick={() => void copy()}>
					Copy all
				</Button>
			</div>
		</div>
	);
}

/** Draws a text as a QR code: dark on light in both themes, as cameras want it. */
function QrCode({ text }: { text: string }) {
	const { data, size } = encode(text, { border: 2 });
	const dots = data.flatMap((row, y) =>
		row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
	);
	return (
		<svg
			viewBox={`0 0 ${size} ${size}`}
			role="img"
			aria-label="QR code for the authenticator app"
			className="qr-code"
			shapeRendering="crispEdges"
		>
			<rect width={size} height={size} fill="#fff" />
			<path d={dots.join('')} fill="#000" />
		</svg>
	);
}
