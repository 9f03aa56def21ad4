/** Addresses that were asked for, and whether something answers there. What is missing may come: it is asked for again. */
const answered = new Map<string, Promise<boolean>>();

async function answers(path: string): Promise<boolean> {
	const response = await fetch(path, { method: 'HEAD' });
	return response.status !== 404;
}

/** Returns the paths of this site at which nothing is. Without an answer nothing is known, and a path is no dead one. */
export async function deadAmong(links: readonly string[]): Promise<Set<string>> {
	const alive = await Promise.all(
		links.map((link) => {
			if (!answered.has(link))
				answered.set(
					link,
					answers(link).then(
						(alive) => {
							if (!alive) answered.delete(link);
							return alive;
						},
						() => true,
					),
				);
			return answered.get(link) ?? Promise.resolve(true);
		}),
	);
	return new Set(links.filter((_, index) => !alive[index]));
}
