import { ScreenLink } from './ScreenLink.tsx';

/** An address that leads to the page of its person. */
export function PersonLink({ email, children = email }: { email: string; children?: string }) {
	return (
		<ScreenLink className="link wrap-anywhere" to="subscribers" query={{ person: email }}>
			{children}
		</ScreenLink>
	);
}
