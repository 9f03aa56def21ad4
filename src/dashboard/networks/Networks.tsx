import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { AskButton } from '#src/dashboard/kit/AskButton.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import * as api from '#src/features/networks/networks.api.ts';
import {
	NETWORK_NAMES,
	responsesOf,
	type Network,
	type NetworkView,
} from '#src/features/networks/networks.ts';
import { localDate } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';

const NOTHING = {};

/** Accounts at networks where each new article is posted once its page is live. */
export function Networks() {
	const { answer, error, reload } = useAnswer(api.listNetworks, NOTHING);
	return (
		<>
			<h2>Bluesky and Mastodon</h2>
			<p>
				A new article is posted once, when its page is live: what it says, and its link. The dialog
				that publishes can leave it out. What changes later changes no post.
			</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading networks" rows={2} />}
			{answer?.map((view) => (
				<AccountOf key={view.network} view={view} onChanged={reload} />
			))}
		</>
	);
}

type Props = { view: NetworkView; onChanged: () => void };

function AccountOf({ view: { network, account, failure, posts }, onChanged }: Props) {
	const name = NETWORK_NAMES[network];
	const [replacing, setReplacing] = useState(false);
	return (
		<section className="mt-6" aria-label={name}>
			<h3>{name}</h3>
			{account && (
				<div className="mt-2 flex flex-wrap items-center gap-3">
					<span>
						<strong className="break-words">{account.name}</strong>{' '}
						<span className="label">since {localDate(account.since)}</span>
					</span>
					<Button
						variant="quiet"
						aria-expanded={replacing}
						onClick={() => setReplacing(!replacing)}
					>
						Sign in again
					</Button>
					<AskButton
						label="Disconnect"
						aria-label={`Disconnect ${name}`}
						variant="quiet"
						title={`Disconnect ${name}?`}
						text="No more articles are posted there. What was posted stays."
						answer="Disconnect"
						work={async () => {
							await callAsAdmin(api.disconnectNetwork, { network });
							toast({ title: `${name} is disconnected` });
							onChanged();
						}}
					/>
				</div>
			)}
			{failure && <p className="field-error mt-2">A post could not be made so far: {failure}</p>}
			{posts.length > 0 && (
				<ul className="mt-2">
					{posts.map((post) => (
						<li key={post.url}>
							<a className="link" href={post.url}>
								{post.title}
							</a>{' '}
							<span className="label">{responsesOf(post)}</span>
						</li>
					))}
				</ul>
			)}
			{(!account || replacing) && (
				<SignIn
					network={network}
					onDone={() => {
						setReplacing(false);
						onChanged();
					}}
				/>
			)}
		</section>
	);
}

function SignIn({ network, onDone }: { network: Network; onDone: () => void }) {
	const { busy, errors, failure, send } = useSubmit();
	const isBluesky = network === 'bluesky';
	const connect = send(async (typed) => {
		await callAsAdmin(api.connectNetwork, parse(api.connectNetwork.input, { ...typed, network }));
		toast({ title: `${NETWORK_NAMES[network]} let us in` });
		onDone();
	});
	return (
		<form method="post" noValidate onSubmit={connect} className="mt-3 grid max-w-md gap-4">
			<Field
				label="Server"
				name="server"
				required
				defaultValue={isBluesky ? 'bsky.social' : ''}
				placeholder={isBluesky ? undefined : 'mastodon.social'}
				error={errors['server']}
			/>
			{isBluesky && (
				<Field
					label="Handle"
					name="handle"
					required
					placeholder="name.bsky.social"
					error={errors['handle']}
				/>
			)}
			<Field
				label={isBluesky ? 'App password' : 'Access token'}
				name="secret"
				type="password"
				required
				autoComplete="off"
				hint={
					isBluesky
						? 'Made at Bluesky under Settings, Privacy and security. Not the password of the account.'
						: 'Made at your server under Preferences, Development: an application with the scopes read and write:statuses.'
				}
				error={errors['secret']}
			/>
			<Button type="submit" className="justify-self-start" busy={busy}>
				{busy ? 'Signing in…' : `Connect ${NETWORK_NAMES[network]}`}
			</Button>
			<FieldError>{failure}</FieldError>
		</form>
	);
}
