import { createContext, useContext, useEffect, useState } from 'react';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';

/** How often the tab around was opened: what it shows is asked for anew each time. */
export const Visit = createContext(1);

/**
 * What an endpoint of the admin area answers to this input: asked again when the input changes, when its tab is opened
 * anew or `reload` is called.
 * The last answer stays until there is another, so that a list does not flicker.
 */
export function useAnswer<In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) {
	const [answer, setAnswer] = useState<Out>();
	const [error, setError] = useState<string>();
	const [loading, setLoading] = useState(true);
	const [turn, setTurn] = useState(0);
	const visit = useContext(Visit);
	const key = JSON.stringify(input);

	useEffect(() => {
		let stale = false;
		setLoading(true);
		callAsAdmin(endpoint, input)
			.then(
				(next) => {
					if (stale) return;
					setAnswer(next);
					setError(undefined);
				},
				(problem: unknown) => {
					if (!stale) setError(messageOf(problem));
				},
			)
			.finally(() => {
				if (!stale) setLoading(false);
			});
		return () => {
			stale = true;
		};
	}, [endpoint, key, visit, turn]);

	return { answer, error, loading, reload: () => setTurn((n) => n + 1) };
}
