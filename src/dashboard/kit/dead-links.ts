/** Addresses that were asked for, and whether something answers there. What is missing may come: it is asked for again. */
const answered = new Map<string, Promise<boolean>>();

/** Returns whether something is at a path; also where no answer came, because then nothing is known. */
async function answers(path: string): Promise<boolean> {
	const response = await fetch(path, { method: 'HEAD' }).catch(() => null);
	if (response?.status !== 404) return true;
	answered.delete(path);
	return false;
}

/** Returns the paths of this site at which nothing is. */
export async function deadAmong(links: readonly string[]): Promise<Set<string>> {
	const alive = await Promise.all(
		links.map((link) => {
			const known = answered.get(link) ?? answers(link);
			answered.set(link, known);
			return known;
		}),
	);
	return new Set(links.filter((_, index) => !alive[index]));
}
