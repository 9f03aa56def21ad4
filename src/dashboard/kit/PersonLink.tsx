import { openScreen, screenAddress } from './address.store.ts';

/** An address that leads to the page of its person. */
export function PersonLink({ email, children = email }: { email: string; children?: string }) {
	const query = { person: email };
	return (
		<a
			className="link break-all"
			href={screenAddress('subscribers', query)}
			onClick={(event) => {
				if (event.ctrlKey || event.metaKey || event.shiftKey) return;
				event.preventDefault();
				openScreen('subscribers', query);
			}}
		>
			{children}
		</a>
	);
}
