import { useEffect, useRef, useState } from 'react';
import { encode } from 'uqr';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { browserOf } from '#src/core/session/browser.ts';
import { removePasskey, renamePasskey } from '#src/core/session/passkeys.api.ts';
import { hasPasskeys, makePasskey, rememberPasskeys } from '#src/core/session/passkeys.store.ts';
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
import { AskButton } from '#src/dashboard/kit/AskButton.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { COPY_KEYS, copyText } from '#src/lib/clipboard.ts';
import { localTime } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';
import { plural } from '#src/lib/text.ts';

const NOTHING = {};

/** Shows and changes what signing in takes besides the password. */
export function SecondFactor() {
	const { answer, error, reload } = useAnswer(getSecondFactor, NOTHING);
	const [offer, setOffer] = useState<Offer>();
	const [codes, setCodes] = useState<string[]>();
	const { busy, run } = useSubmit('Not started');
	const begin = () => run(async () => setOffer(await callAsAdmin(offerSecondFactor, {})));

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
						onRename={async ({ id }, name) => {
							await callAsAdmin(renamePasskey, { id, name: parse(newPasskey.shape.name, name) });
							toast({ title: 'Passkey renamed', description: name });
							reload();
						}}
						onRemove={async ({ id, name }) => {
							await callAfterSignIn(removePasskey, { id });
							if (answer.passkeys.length === 1) rememberPasskeys(false);
							toast({ title: 'Passkey removed', description: name });
							reload();
						}}
					/>
					<h3>Authenticator app</h3>
					{answer.appSince ? (
						<div className="flex flex-wrap items-center gap-3">
							<p>
								<span className="badge badge-on">On</span> since {localTime(answer.appSince)}.
							</p>
							<AskButton
								label="Turn off codes"
								title="Turn off codes"
								text={
									answer.passkeys.length > 0
										? 'Only passkeys and recovery codes will be asked for besides the password.'
										: 'The password alone will be enough to sign in, and the recovery codes end.'
								}
								answer="Turn off"
								work={async () => {
									await callAfterSignIn(turnOffSecondFactor, {});
									toast({ title: 'Codes are off' });
									reload();
								}}
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
							<AskButton
								label="Make new recovery codes"
								title="Make new recovery codes?"
								text="Those that you have kept no longer sign you in."
								answer="Make new ones"
								work={async () => {
									setCodes((await callAfterSignIn(renewRecoveryCodes, {})).codes);
									reload();
								}}
							/>
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
	onRename,
	onRemove,
}: {
	passkeys: Passkey[];
	onMade: (codes: string[]) => void;
	onRename: (passkey: Passkey, name: string) => Promise<void>;
	onRemove: (passkey: Passkey) => Promise<void>;
}) {
	const [renamed, setRenamed] = useState('');
	const [name, setName] = useState(() => browserOf(navigator.userAgent));
	const { busy, reason, send } = useSubmit();
	const add = send(async () => {
		const { codes } = await makePasskey(parse(newPasskey.shape.name, name));
		toast({ title: 'Passkey added', description: name });
		onMade(codes);
	});

	return (
		<>
			<h3>Passkeys</h3>
			{passkeys.length > 0 && (
				<ul className="sessions" aria-label="Passkeys">
					{passkeys.map((passkey) => (
						<li key={passkey.id} className="flex-wrap">
							<span className="grow">
								<strong>{passkey.name}</strong>
								<span className="label">
									{passkey.lastUsedAt
										? `last used ${localTime(passkey.lastUsedAt)}`
										: `not used since ${localTime(passkey.createdAt)}`}
								</span>
							</span>
							<Button
								variant="quiet"
								aria-label={`Rename ${passkey.name}`}
								aria-expanded={renamed === passkey.id}
								onClick={() => setRenamed(renamed === passkey.id ? '' : passkey.id)}
							>
								Rename
							</Button>
							<AskButton
								label="Remove"
								aria-label={`Remove ${passkey.name}`}
								title={`Remove ${passkey.name}?`}
								text="It no longer signs you in."
								answer="Remove it"
								work={() => onRemove(passkey)}
							/>
							{renamed === passkey.id && (
								<NameForm
									name={passkey.name}
									onSend={async (typed) => {
										await onRename(passkey, typed);
										setRenamed('');
									}}
								/>
							)}
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
						error={reason || undefined}
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

/** Asks for another name of a passkey. */
function NameForm({ name, onSend }: { name: string; onSend: (name: string) => Promise<void> }) {
	const { busy, reason, send } = useSubmit();
	return (
		<form
			method="post"
			noValidate
			className="form-inline w-full"
			onSubmit={send(({ name: typed = '' }) => onSend(typed))}
		>
			<Field
				label="New name"
				name="name"
				defaultValue={name}
				maxLength={60}
				autoFocus
				error={reason || undefined}
			/>
			<Button type="submit" variant="quiet" busy={busy}>
				Save the name
			</Button>
		</form>
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
	const { busy, reason, send } = useSubmit();
	const turnOn = send(async (typed) => {
		await onSend(parse(confirmation, { ...typed, key: offer.key }).code);
	});

	return (
		<form method="post" noValidate onSubmit={turnOn} className="grid gap-4">
			<Field
				label="Code"
				name="code"
				required
				autoComplete="one-time-code"
				autoCapitalize="none"
				spellCheck={false}
				error={reason || undefined}
			/>
			<div className="flex flex-wrap gap-3">
				<Button type="submit" busy={busy}>
					{busy ? 'Turning on…' : 'Turn on codes'}
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
