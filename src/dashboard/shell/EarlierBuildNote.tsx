import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { listKeptBuilds } from '#src/core/builds/builds.api.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { openScreen, screenAddress } from '#src/dashboard/kit/address.store.ts';
import { $isHeld } from '#src/core/builds/held.store.ts';

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
					<a
						className="link"
						href={screenAddress('settings')}
						onClick={(event) => {
							event.preventDefault();
							openScreen('settings');
						}}
					>
						Go back to the newest content
					</a>
				</>
			)}
		</p>
	);
}
