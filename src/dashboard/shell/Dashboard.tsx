import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { messageOf } from '#src/lib/errors.ts';
import {
	$address,
	openScreen,
	readAddress,
	settlePlace,
} from '#src/dashboard/kit/address.store.ts';
import { $siteName } from '#src/dashboard/kit/site-name.store.ts';
import { ScreenLink } from '#src/dashboard/kit/ScreenLink.tsx';
import { Loaded } from '#src/dashboard/kit/Loaded.tsx';
import { $signIns, callAsAdmin, signOut } from '#src/core/session/session.store.ts';
import { call } from '#src/lib/endpoint.ts';
import { getSetup } from '#src/features/setup/setup.api.ts';
import { Visit } from '#src/dashboard/kit/useAnswer.ts';
import { Commands } from './Commands.tsx';
import { Jumps } from './Jumps.tsx';
import { MOVED, SCREENS, titleOf } from './screens.ts';
import { Sidebar } from './Sidebar.tsx';
import { listKeptBuilds } from '#src/core/builds/builds.api.ts';
import { $isHeld } from '#src/core/builds/held.store.ts';

/** The admin area: a sidebar, and the screen that the address names. */
export function Dashboard({ siteName }: { siteName: string }) {
	const { screen, queries } = useStore($address);
	const open = SCREENS.find(({ id }) => id === screen) ?? SCREENS[0];
	const title = titleOf(open, queries);
	// Until it is known whether the site is set up, no screen is shown that another one would replace.
	const [isCommanding, setCommanding] = useState(false);
	/** The screen that was open last, and how often each was opened. */
	const [seen, setSeen] = useState<{ last: string; visits: Record<string, number> }>({
		last: '',
		visits: {},
	});
	if (screen && seen.last !== open.id)
		setSeen({
			last: open.id,
			visits: { ...seen.visits, [open.id]: (seen.visits[open.id] ?? 0) + 1 },
		});

	useEffect(() => {
		// The form that had the focus went with the sign-in.
		if ($signIns.get() > 0 && isLost(document.activeElement))
			document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
	}, []);
	useEffect(() => {
		const ids = SCREENS.map(({ id }) => id);
		const read = () => readAddress(location.search, ids, MOVED);
		// A fresh site asks first what it is to be; a link to a screen leads there.
		const isLink = new URLSearchParams(location.search).has('tab');
		if (isLink) read();
		void call(getSetup, {})
			.then(({ isDue, site }) => {
				$siteName.set(site.name);
				return isDue;
			})
			.catch(() => false)
			.then((isDue) => {
				if (isLink) return;
				if (isDue) openScreen('setup');
				else read();
			});
		addEventListener('popstate', read);
		return () => removeEventListener('popstate', read);
	}, []);
	useLayoutEffect(() => settlePlace(open.id), [open]);
	useEffect(() => {
		if (!screen) return;
		document.title = document.title.replace(/^(.* – )?(?=Admin)/, `${title} – `);
		// A modal dialog that nobody sees would keep the whole page from being used.
		for (const dialog of document.querySelectorAll<HTMLDialogElement>('[hidden] dialog[open]'))
			dialog.close();
	}, [open, screen, title]);
	const shown = queries[open.id];
	const before = useRef(shown);
	useEffect(() => {
		// What was pressed may be gone with its place: whoever goes by keyboard goes on from what is shown instead.
		if (before.current && shown !== before.current && isLost(document.activeElement))
			document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
		before.current = shown;
	}, [shown]);
	useEffect(() => {
		function command(event: KeyboardEvent) {
			const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
			// In the text of an article the same keys make a link, and another dialog has the keyboard to itself.
			if (!isShortcut || event.altKey || event.shiftKey || event.defaultPrevented) return;
			event.preventDefault();
			setCommanding((is) => !is && !document.querySelector('dialog[open]'));
		}
		addEventListener('keydown', command);
		return () => removeEventListener('keydown', command);
	}, []);

	async function leave() {
		try {
			await signOut();
			toast({ title: 'Logged out successfully' });
		} catch (error) {
			toast({ title: 'Logout failed', description: messageOf(error), destructive: true });
		}
	}

	return (
		<div className="room" data-screen={open.id}>
			<Sidebar
				siteName={siteName}
				open={open}
				onCommands={() => setCommanding(true)}
				onLeave={() => void leave()}
			/>
			<main id="main" tabIndex={-1} className="desk">
				<EarlierBuildNote />
				{!screen && <Skeleton label="Loading" rows={5} />}
				{SCREENS.map(({ id, label, load }) => (
					// A screen that was opened once keeps what is in it, so that typed text survives.
					<section key={id} aria-labelledby={`screen-${id}`} hidden={!screen || id !== open.id}>
						<h1 id={`screen-${id}`}>{titleOf({ id, label }, queries)}</h1>
						{seen.visits[id] && (
							<Visit value={seen.visits[id]}>
								<Loaded label={label} load={load} />
							</Visit>
						)}
					</section>
				))}
			</main>
			<Jumps />
			<Commands
				open={isCommanding}
				onClose={() => setCommanding(false)}
				onLeave={() => void leave()}
			/>
		</div>
	);
}

/** Whether nothing that is shown has the focus. */
const isLost = (focused: Element | null) =>
	!focused || focused === document.body || focused.closest('[hidden]') !== null;

/** Says on every screen that readers see an earlier build, as long as they do. */
export function EarlierBuildNote() {
	const isHeld = useStore($isHeld);
	useEffect(() => {
		// Where that cannot be told, the screen itself says what fails.
		callAsAdmin(listKeptBuilds, {}).then(
			(answer) => $isHeld.set(answer.isHeld),
			() => {},
		);
	}, []);
	return (
		<p role="status" className="desk-note" hidden={!isHeld}>
			{isHeld && (
				<>
					Readers see an earlier build of the site: what is saved now does not appear.{' '}
					<ScreenLink to="settings" query={{ part: 'Earlier builds' }}>
						Go back to the newest content
					</ScreenLink>
				</>
			)}
		</p>
	);
}
