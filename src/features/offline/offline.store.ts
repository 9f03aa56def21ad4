import { paths } from '#src/site.ts';

/**
 * Makes the service worker keep exactly these articles for offline reading. It is registered with the first
 * one, so that nothing is installed for visitors who save nothing. Does nothing without service worker support.
 */
export function keepOffline(saved: readonly { slug?: string | undefined }[]): void {
	void postToWorker(saved.flatMap(({ slug }) => (slug ? [paths.post(slug)] : []))).catch(() => {});
}

async function postToWorker(keep: string[]): Promise<void> {
	// The dev server has no service worker.
	if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
	if (keep.length > 0) await navigator.serviceWorker.register('/sw.js');
	else if (!(await navigator.serviceWorker.getRegistration())) return;
	const { active } = await navigator.serviceWorker.ready;
	active?.postMessage({ keep });
}
