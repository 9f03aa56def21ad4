import { paths } from '#src/site.ts';

/**
 * Has the service worker keep exactly these articles for reading without a connection. It is started with the first
 * one, so that nothing is installed for those who save nothing. Where there are no service workers nothing is kept.
 */
export function keepOffline(saved: readonly { slug?: string | undefined }[]): void {
	void postToWorker(saved.flatMap(({ slug }) => (slug ? [paths.post(slug)] : []))).catch(() => {});
}

async function postToWorker(keep: string[]): Promise<void> {
	// The dev server has no worker.
	if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
	if (keep.length > 0) await navigator.serviceWorker.register('/sw.js');
	else if (!(await navigator.serviceWorker.getRegistration())) return;
	const { active } = await navigator.serviceWorker.ready;
	active?.postMessage({ keep });
}
