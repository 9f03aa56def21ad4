/** The fields of a build that describe its progress. */
type Build = {
	state: 'queued' | 'building' | 'live' | 'failed';
	doing: string | null;
	done: number | null;
	total: number | null;
	reason: string | null;
	startedAt: string | null;
	endedAt: string | null;
};

/** How far a change is on its way to the public page. */
export type Stage = {
	step: 'queued' | 'building' | 'checking' | 'live' | 'failed';
	text: string;
	/** Parts that the build left unchanged, and the reason. */
	note?: string;
	/** 0 to 1, where the build tells. */
	part?: number;
};

/**
 * Where a change stands that was saved at `savedAt` (milliseconds): by the builds that can hold it, and by whether the
 * public page shows it already. `builds` is newest first.
 */
export function stageOf(builds: readonly Build[], savedAt: number, shown: boolean): Stage {
	const note = builds.find(({ state }) => state === 'live')?.reason;
	if (shown) return { step: 'live', text: 'Live', ...(note && { note }) };
	const after = (time: string | null) => time !== null && Date.parse(time) >= savedAt;
	// A build that began before the change was saved may have read the post as it was.
	const mine = builds.filter(({ state, startedAt }) => state === 'queued' || after(startedAt));
	if (mine.some(({ state }) => state === 'live'))
		return { step: 'checking', text: 'Built. Looking at the page' };
	const building = mine.find(({ state }) => state === 'building');
	if (building) {
		const { doing, done, total } = building;
		const share = done !== null && total ? { part: done / total } : {};
		const count = done !== null && total ? ` (${done} of ${total})` : '';
		return { step: 'building', text: `Building: ${doing ?? 'the site'}${count}`, ...share };
	}
	const waiting = mine.find(({ state }) => state === 'queued');
	if (waiting) return { step: 'queued', text: waiting.reason ?? 'Waiting for the build to begin' };
	const failed = builds.find(({ state, endedAt }) => state === 'failed' && after(endedAt));
	if (failed) return { step: 'failed', text: failed.reason ?? 'The build failed.' };
	return { step: 'queued', text: 'Waiting for the build to begin' };
}

/** Whether a page's HTML is the one of this version of the article. */
export function isVersion(html: string, digest: string): boolean {
	return html.includes(`data-digest="${digest}"`);
}
