import { useStore } from '@nanostores/react';
import { useEffect, useState, type ReactNode } from 'react';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { island, SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { Dashboard } from './Dashboard.tsx';
import { $access, checkAccess, postponeSignIn } from '#src/core/session/session.store.ts';
import { ResetPassword } from './ResetPassword.tsx';
import { SignIn } from './SignIn.tsx';

/** The admin area: sign in, then the desk. */
export const AdminApp = island(Admin, 'page');

function Admin({ siteName }: { siteName: string }) {
	const state = useStore($access);
	useEffect(() => void checkAccess(), []);

	switch (state.status) {
		case 'checking':
			return (
				<Door siteName={siteName}>
					<Skeleton label="Loading" rows={3} />
				</Door>
			);
		case 'failed':
			return (
				<Door siteName={siteName}>
					<SectionError message={state.message} onRetry={() => void checkAccess()} />
				</Door>
			);
		case 'out':
			return (
				<Door siteName={siteName}>
					<div className="desk-sign-in frame">
						<p className="frame-label">sign in</p>
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
						firstFocus="input"
					>
						<p className="mb-4 text-muted">
							{state.status === 'stale'
								? 'Nobody else who finds this desk open should be able to do that. What is on the screen stays as it is.'
								: 'Sign in to go on. What is on the screen stays as it is.'}
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
function Door({ siteName, children }: { siteName: string; children: ReactNode }) {
	return (
		<main id="main" tabIndex={-1} className="room-door">
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
