import { openScreen, screenAddress, wantsAnother } from './address.store.ts';

/** An address that leads to the page of its person. */
export function PersonLink({ email, children = email }: { email: string; children?: string }) {
	const query = { person: email };
	return (
		<a
			className="link wrap-anywhere"
			href={screenAddress('subscribers', query)}
			onClick={(event) => {
				if (wantsAnother(event)) return;
				event.preventDefault();
				openScreen('subscribers', query);
			}}
		>
			{children}
		</a>
	);
}
