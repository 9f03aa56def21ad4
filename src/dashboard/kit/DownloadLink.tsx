import { useRef, type MouseEvent, type ReactNode } from 'react';
import { toast } from '#src/components/ui/toast.store.ts';
import { checkRecentSignIn } from '#src/core/session/session.api.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { messageOf } from '#src/lib/errors.ts';

/** A link to a file with personal data. Where the sign-in is too old, it is asked for first, and the download goes on. */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
	const isAllowed = useRef(false);

	async function begin(event: MouseEvent<HTMLAnchorElement>) {
		if (isAllowed.current) return void (isAllowed.current = false);
		event.preventDefault();
		const link = event.currentTarget;
		try {
			await callAsAdmin(checkRecentSignIn, {});
			isAllowed.current = true;
			link.click();
		} catch (problem) {
			toast({ title: 'Not exported', description: messageOf(problem), destructive: true });
		}
	}

	return (
		<a className="button button-quiet" href={href} download onClick={(event) => void begin(event)}>
			{children}
		</a>
	);
}
