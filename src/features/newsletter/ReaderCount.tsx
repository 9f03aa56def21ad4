import { useEffect, useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { SECOND } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { plural } from '#src/lib/text.ts';
import { countSubscribers } from './newsletter.api.ts';

/** Specification section 9, "Subscriber count refresh". */
export const REFRESH_MS = 30 * SECOND;

type Props = {
	/** What is claimed instead, as a figure and in words; the real figure once it is higher. */
	claim?: { count: number; text: string };
};

/** How many read the newsletter, counted again every 30 seconds while the page is visible. Says nothing of nobody. */
export const ReaderCount = island(Count);

function Count({ claim }: Props) {
	const [count, setCount] = useState(0);
	useEffect(() => {
		async function refresh() {
			if (document.hidden) return;
			// What is shown stays; the next round tries again.
			await call(countSubscribers, {}).then(
				(answer) => setCount(answer.count),
				() => {},
			);
		}
		void refresh();
		const timer = setInterval(() => void refresh(), REFRESH_MS);
		return () => clearInterval(timer);
	}, []);
	const text = claim && count <= claim.count ? claim.text : plural(count, 'reader');
	return <p className="label min-h-5">{(claim || count > 0) && `Join ${text}`}</p>;
}
