import { createContext, useContext } from 'react';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';

/** How often the screen around was opened: what it shows is asked for anew each time. */
export const Visit = createContext(1);

/**
 * Returns an endpoint's answer to this input. Asks again when the input changes, when its screen is opened anew or
 * `reload` is called; the last answer stays until there is another, so that a list does not flicker.
 */
export function useAnswer<In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) {
	const visit = useContext(Visit);
	const key = `${visit} ${endpoint.method} ${endpoint.path} ${JSON.stringify(input)}`;
	const { data, error, ...rest } = useAsync(key, () => callAsAdmin(endpoint, input));
	return { answer: data, error: error === undefined ? undefined : messageOf(error), ...rest };
}
