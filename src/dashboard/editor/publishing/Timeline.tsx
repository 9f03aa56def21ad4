import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { listBuilds, startBuild } from '#src/core/builds/builds.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import { isVersion, stageOf, type Stage } from './timeline.ts';

/** A change that the public site is to show. */
export type Publication = {
	/** Milliseconds, by the server's clock. */
	savedAt: number;
	path: string;
	/** The version to wait for; null where the page is to be gone. */
	digest: string | null;
};

const POLL_MS = 1500;
const STEPS = ['Saved', 'Queued', 'Building', 'Live'];
const WAITING: Stage = { step: 'queued', text: 'Waiting for the build to begin' };
const REACHED = { queued: 1, building: 2, checking: 2, live: 3, failed: 2 } as const;

/** The way of a change to its page: saved, queued, building, live, or why not. */
export function Timeline({ publication }: { publication: Publication }) {
	const [followed, setFollowed] = useState(publication);
	const [stage, setStage] = useState(WAITING);
	const [from, setFrom] = useState(publication.savedAt);
	// Not in an effect: the page of the last change would be called live, or gone, until it ran.
	if (followed !== publication) {
		setFollowed(publication);
		setFrom(publication.savedAt);
		setStage(WAITING);
	}
	const { path, digest } = publication;
	const over = stage.step === 'live' || stage.step === 'failed';

	useEffect(() => {
		if (over) return;
		let stopped = false;
		async function look() {
			try {
				const [builds, shown] = await Promise.all([call(listBuilds, {}), isShown(path, digest)]);
				if (!stopped) setStage(stageOf(builds, from, shown));
			} catch {
				// The next look may reach the server again, or find somebody signed in.
			}
			if (!stopped) timer = setTimeout(() => void look(), POLL_MS);
		}
		let timer = setTimeout(() => void look(), 400);
		return () => {
			stopped = true;
			clearTimeout(timer);
		};
	}, [over, from, path, digest]);

	async function retry() {
		try {
			const { requestedAt } = await callAsAdmin(startBuild, {});
			setFrom(Date.parse(requestedAt));
			setStage(WAITING);
		} catch (error) {
			setStage({ step: 'failed', text: messageOf(error) });
		}
	}

	const reached = REACHED[stage.step];
	const last = digest === null ? 'Gone' : 'Live';
	return (
		<section className="timeline" aria-label="Publishing" data-step={stage.step}>
			<ol>
				{[...STEPS.slice(0, -1), last].map((step, index) => (
					<li
						key={step}
						data-reached={index <= reached || undefined}
						aria-current={index === reached ? 'step' : undefined}
					>
						{step}
					</li>
				))}
			</ol>
			<p aria-live="polite">
				{stage.step === 'live' && digest !== null ? (
					<>
						Live:{' '}
						<a className="link" href={path} target="_blank" rel="noopener">
							{path}
						</a>
					</>
				) : stage.step === 'live' ? (
					`${path} is gone.`
				) : (
					stage.text
				)}
			</p>
			{stage.note && <p className="notice">{stage.note}</p>}
			{stage.step === 'building' && <progress aria-label="Building" max={1} value={stage.part} />}
			{stage.step === 'failed' && (
				<Button variant="quiet" onClick={() => void retry()}>
					Build again
				</Button>
			)}
		</section>
	);
}

async function isShown(path: string, digest: string | null): Promise<boolean> {
	const response = await fetch(path, { cache: 'no-store' });
	if (digest === null) return response.status === 404;
	return response.ok && isVersion(await response.text(), digest);
}
