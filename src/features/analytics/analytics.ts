/** Percentages of a page (product.md section 9). */
export const MILESTONES = [25, 50, 75, 90, 100] as const;

/** Returns the milestones between two depths. */
export function milestonesReached(depth: number, from: number): number[] {
	return MILESTONES.filter((milestone) => milestone > from && milestone <= depth);
}

/**
 * Loads the tag's script and reports the page and its referrer, both without query and hash, which may contain
 * a token from an email or search words.
 */
export function startAnalytics(
	measurementId: string,
	{ href }: { href: string },
	referrer: string,
): void {
	const queue = (window.dataLayer ??= []);
	window.gtag = function () {
		// The service reads the arguments object itself, not an array.
		queue.push(arguments);
	};
	window.gtag('js', new Date());
	window.gtag('config', measurementId, {
		page_path: new URL(href).pathname,
		page_location: withoutQuery(href),
		page_referrer: withoutQuery(referrer),
	});
	const script = document.createElement('script');
	script.async = true;
	script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(measurementId)}`;
	document.head.append(script);
}

const withoutQuery = (address: string) => address.replace(/[?#][^]*/, '');

/** Returns what the content security policy must allow in addition; nothing without a measurement id. */
export function analyticsSources(measurementId: string | undefined) {
	if (!measurementId) return { scripts: [], images: '', connections: [] };
	const counted = 'https://*.google-analytics.com https://*.googletagmanager.com';
	return {
		scripts: ['https://*.googletagmanager.com'],
		images: ` ${counted}`,
		connections: [`connect-src 'self' ${counted} https://*.analytics.google.com` as const],
	};
}
