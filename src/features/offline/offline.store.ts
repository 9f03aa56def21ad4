import { SECOND } from '#src/lib/dates.ts';
import { paths } from '#src/site.ts';
import { NEWS, type News } from './news.ts';

/** Time after which a copy that is still on its way is not promised. */
const PATIENCE_MS = 10 * SECOND;

/** Returns whether pages can be kept: plain http, private windows of some browsers and the dev server have no service worker. */
const canKeep = () => import.meta.env.PROD && 'serviceWorker' in navigator;

/**
 * Makes the service worker keep exactly these articles for offline reading. It is registered with the first
 * one, so that nothing is installed for visitors who save nothing. Does nothing without service worker support.
 */
export function keepOffline(saved: readonly { slug?: string | undefined }[]): void {
	void postToWorker(saved.flatMap(({ slug }) => (slug ? [paths.post(slug)] : []))).catch(() => {});
}

async function postToWorker(keep: string[]): Promise<void> {
	if (!canKeep()) return;
	if (keep.length > 0) await navigator.serviceWorker.register('/sw.js');
	else if (!(await navigator.serviceWorker.getRegistration())) return;
	const { active } = await navigator.serviceWorker.ready;
	active?.postMessage({ keep });
}

/** Returns whether the article that is about to be saved can be read without a connection, as soon as it is known. */
export async function isKept({ slug }: { slug: string }): Promise<boolean> {
	if (!canKeep()) return false;
	const channel = new BroadcastChannel(NEWS);
	const { pathname } = new URL(paths.post(slug), location.origin);
	const told = new Promise<boolean>((resolve) => {
		channel.onmessage = ({ data: { path, isKept } }: MessageEvent<News>) => {
			if (path === pathname) resolve(isKept);
		};
		setTimeout(() => resolve(false), PATIENCE_MS);
	});
	return told.finally(() => channel.close());
}
