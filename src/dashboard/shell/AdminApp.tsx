import { useStore } from '@nanostores/react';
import { useEffect, useState, type ReactNode } from 'react';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { island, SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { Dashboard } from './Dashboard.tsx';
import {
	$access,
	checkAccess,
	postponeSignIn,
	readAccount,
} from '#src/core/session/session.store.ts';
import { RECENT_MINUTES, SESSION_DAYS } from '#src/core/session/session.ts';
import { ResetPassword } from './ResetPassword.tsx';
import { SignIn } from './SignIn.tsx';
import { SiteMark } from './Sidebar.tsx';

const ENDED = `Your session has ended: it was ended in another browser, as a new password, address, passkey or code does, or it was ${SESSION_DAYS} days old.`;

/** The admin area: sign in, then the desk. */
export const AdminApp = island(Admin, 'page');

type Props = {
	siteName: string;
	/** Address of the site's own logo; undefined where it has none. */
	logo?: string | undefined;
};

function Admin({ siteName, logo }: Props) {
	const state = useStore($access);
	useEffect(() => void checkAccess(), []);
	useEffect(() => {
		// Only filled in for convenience: without it the address is typed.
		if (state.status === 'in') readAccount().catch(() => {});
	}, [state.status]);

	switch (state.status) {
		case 'checking':
			return (
				<Door {...{ siteName, logo }}>
					<Skeleton label="Loading" rows={3} />
				</Door>
			);
		case 'failed':
			return (
				<Door {...{ siteName, logo }}>
					<SectionError message={state.message} onRetry={() => void checkAccess()} />
				</Door>
			);
		case 'out':
			return (
				<Door {...{ siteName, logo }}>
					<div className="desk-sign-in frame">
						<p className="frame-label">sign in</p>
						{state.hasEnded && <p className="mb-4 text-muted">{ENDED}</p>}
						<Entrance />
					</div>
				</Door>
			);
		case 'in':
		case 'expired':
		case 'stale':
			return (
				<>
					<Dashboard siteName={siteName} />
					<Dialog
						open={state.status !== 'in'}
						onClose={postponeSignIn}
						title={state.status === 'stale' ? 'Sign in again' : 'Your session has ended'}
						closeLabel="Not now"
						// Where the address is known, it is filled in.
						firstFocus='[name="password"]'
					>
						<p className="mb-4 text-muted">
							{state.status === 'stale'
								? `Your last sign-in is more than ${RECENT_MINUTES} minutes old. Bringing data in or out and changing how you sign in take a newer one, so that nobody else who finds this desk open can do it; then you are trusted for ${RECENT_MINUTES} minutes. What is on the screen stays as it is.`
								: `${ENDED} Sign in to go on. What is on the screen stays as it is.`}
						</p>
						<SignIn />
					</Dialog>
				</>
			);
	}
}

/** Sign-in, or the choice of a new password where a mailed link led here. */
function Entrance() {
	const [token, setToken] = useState(() => /^#reset=([\w-]+)$/.exec(location.hash)?.[1]);
	if (!token) return <SignIn />;
	return (
		<ResetPassword
			token={token}
			onDone={() => {
				history.replaceState(null, '', location.pathname);
				setToken(undefined);
			}}
		/>
	);
}

/** Shows what stands before the desk, with the way back to the site. */
function Door({ siteName, logo, children }: Props & { children: ReactNode }) {
	return (
		<main id="main" tabIndex={-1} className="room-door">
			<p className="room-mark">
				{logo ? <img src={logo} alt="" /> : <SiteMark />} {siteName}
			</p>
			<h1>Admin</h1>
			{children}
			<p>
				<a className="link" href="/">
					Back to {siteName}
				</a>
			</p>
		</main>
	);
}
