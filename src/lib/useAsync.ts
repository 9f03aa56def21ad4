import { useEffect, useState } from 'react';

/**
 * Loads something for `key`: at first, when the key changes, `delay` milliseconds after its last change, and by `reload`.
 * With null nothing is loaded. A late result never replaces a newer one; data and error are the last ones until the
 * next load ends, so that a list does not flicker.
 *
 * @example
 * const { data: posts, error, loading, reload } = useAsync(q, () => call(searchPosts, { q }), 150);
 */
export function useAsync<T>(key: string | null, load: () => Promise<T>, delay = 0) {
	const [turn, setTurn] = useState(0);
	const [last, setLast] = useState<{ token?: string; data?: T; error?: unknown }>({});
	const token = key === null ? null : `${turn} ${key}`;

	useEffect(() => {
		if (token === null) return;
		let isLatest = true;
		function start() {
			load().then(
				(data) => isLatest && setLast({ token: token!, data }),
				(error: unknown) =>
					isLatest && setLast(({ data }) => ({ token: token!, data: data!, error })),
			);
		}
		const timer = delay > 0 ? setTimeout(start, delay) : void start();
		return () => {
			isLatest = false;
			clearTimeout(timer);
		};
	}, [token, delay]);

	return {
		data: last.data,
		error: last.error,
		loading: token !== null && last.token !== token,
		reload: () => setTurn((count) => count + 1),
	};
}
