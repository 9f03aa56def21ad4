import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { encode } from 'uqr';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import {
	getSecondFactor,
	offerSecondFactor,
	renewRecoveryCodes,
	turnOffSecondFactor,
	turnOnSecondFactor,
} from '#src/core/session/second-factor.api.ts';
import {
	proof,
	RECOVERY_CODES,
	type Offer,
	type Proof,
	type SecondFactor as State,
} from '#src/core/session/second-factor.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { PasswordField } from '#src/dashboard/kit/PasswordField.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { localTime } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';

const NOTHING = {};

/** Whether signing in takes a code besides the password. */
export function SecondFactor() {
	const { answer, error, reload } = useAnswer(getSecondFactor, NOTHING);
	const [offer, setOffer] = useState<Offer>();
	const [codes, setCodes] = useState<string[]>();
	const [busy, setBusy] = useState(false);

	async function begin() {
		if (busy) return;
		setBusy(true);
		try {
			setOffer(await callAsAdmin(offerSecondFactor, {}));
		} catch (problem) {
			toast({ title: 'Not started', description: messageOf(problem), destructive: true });
		} finally {
			setBusy(false);
		}
	}

	async function turnOn(given: Proof) {
		const made = await callAsAdmin(turnOnSecondFactor, { ...given, key: offer!.key });
		setOffer(undefined);
		setCodes(made.codes);
		toast({ title: 'Codes are on', description: 'All other sessions have ended.' });
		reload();
	}

	return (
		<>
			<h2>Sign-in</h2>
			<p>
				A password can be guessed or stolen. With an authenticator app on your phone, signing in
				also takes a code that changes every 30 seconds.
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
					<ProofForm action="Turn on codes" busyLabel="Turning on…" onSend={turnOn}>
						<Button variant="quiet" onClick={() => setOffer(undefined)}>
							Cancel
						</Button>
					</ProofForm>
				</div>
			)}
			{!codes && !offer && answer?.isOn === false && (
				<Button busy={busy} onClick={() => void begin()}>
					{busy ? 'Making a key…' : 'Set up an authenticator app'}
				</Button>
			)}
			{!codes && answer?.isOn && <Running state={answer} onCodes={setCodes} onChange={reload} />}
		</>
	);
}

/** Offers what can be done where codes are asked for. */
function Running({
	state,
	onCodes,
	onChange,
}: {
	state: State & { isOn: true };
	onCodes: (codes: string[]) => void;
	onChange: () => void;
}) {
	const [asked, setAsked] = useState<'codes' | 'off'>();
	const close = () => setAsked(undefined);

	async function renew(given: Proof) {
		const made = await callAsAdmin(renewRecoveryCodes, given);
		close();
		onCodes(made.codes);
		onChange();
	}
	async function turnOff(given: Proof) {
		await callAsAdmin(turnOffSecondFactor, given);
		close();
		toast({ title: 'Codes are off', description: 'The password alone is enough to sign in.' });
		onChange();
	}

	return (
		<>
			<p>
				<span className="badge badge-on">On</span> since {localTime(state.since)}.{' '}
				{plural(state.codesLeft, 'recovery code')} left.
				{state.codesLeft <= 3 && ' Make new ones before the last is used.'}
			</p>
			<div className="mt-4 flex flex-wrap gap-3">
				<Button variant="quiet" onClick={() => setAsked('codes')}>
					Make new recovery codes
				</Button>
				<Button variant="quiet" onClick={() => setAsked('off')}>
					Turn off codes
				</Button>
			</div>
			<Dialog
				open={asked !== undefined}
				onClose={close}
				title={asked === 'off' ? 'Turn off codes' : 'Make new recovery codes'}
				closeLabel="Cancel"
				firstFocus="input"
			>
				<p className="mb-4 text-muted">
					{asked === 'off'
						? 'The password alone will be enough to sign in, and the recovery codes end.'
						: 'The recovery codes that you have now end.'}
				</p>
				{asked === 'off' ? (
					<ProofForm action="Turn off" busyLabel="Turning off…" onSend={turnOff} />
				) : (
					<ProofForm action="Make new codes" busyLabel="Making codes…" onSend={renew} />
				)}
			</Dialog>
		</>
	);
}

/** Asks for password and code, and keeps both where they are refused. */
function ProofForm({
	action,
	busyLabel,
	onSend,
	children,
}: {
	action: string;
	busyLabel: string;
	onSend: (given: Proof) => Promise<void>;
	children?: ReactNode;
}) {
	const [fields, setFields] = useState<Record<string, string>>({});
	const [error, setError] = useState('');
	const [sending, setSending] = useState(false);

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const form = event.currentTarget;
		setSending(true);
		setFields({});
		setError('');
		try {
			await onSend(parse(proof, Object.fromEntries(new FormData(form))));
		} catch (problem) {
			const wrong = (problem instanceof AppError && problem.fields) || {};
			setFields(wrong);
			const first = form.querySelector<HTMLElement>(`[name="${Object.keys(wrong)[0]}"]`);
			if (first) first.focus();
			else setError(messageOf(problem));
		} finally {
			setSending(false);
		}
	}

	return (
		<form method="post" noValidate onSubmit={send} className="grid gap-4">
			<PasswordField
				label="Your password"
				name="password"
				required
				autoComplete="current-password"
				error={fields['password']}
			/>
			<Field
				label="Code"
				name="code"
				required
				autoComplete="one-time-code"
				autoCapitalize="none"
				spellCheck={false}
				error={fields['code']}
			/>
			<div className="flex flex-wrap gap-3">
				<Button type="submit" busy={sending}>
					{sending ? busyLabel : action}
				</Button>
				{children}
			</div>
			{error && (
				<p role="alert" className="field-error">
					{error}
				</p>
			)}
		</form>
	);
}

/** Shows new recovery codes until they are kept. */
function Codes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
	const heading = useRef<HTMLHeadingElement>(null);
	useEffect(() => heading.current?.focus(), []);

	async function copy() {
		await navigator.clipboard.writeText(codes.join('\n')).then(
			() => toast({ title: 'Copied' }),
			() =>
				toast({
					title: 'Not copied',
					description: 'Select the codes and copy them.',
					destructive: true,
				}),
		);
	}
	return (
		<div role="group" aria-labelledby="recovery-codes" className="grid gap-4">
			<h3 id="recovery-codes" tabIndex={-1} ref={heading}>
				Your {RECOVERY_CODES} recovery codes
			</h3>
			<p>
				Each of them signs you in once, with your password, where the app is lost. They are shown
				only now: keep them where you would still have them without your phone.
			</p>
			<ul className="recovery-codes">
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
