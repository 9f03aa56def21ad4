/** Events of product.md section 7, and the category of each. */
export const EVENTS = {
	newsletter_signup: 'engagement',
	blog_post_view: 'content',
	category_view: 'content',
	exit_intent_shown: 'engagement',
	scroll_depth: 'engagement',
	like: 'engagement',
	unlike: 'engagement',
	save: 'engagement',
	unsave: 'engagement',
	content_upgrade_download: 'engagement',
} as const;

export type EventName = keyof typeof EVENTS;

declare global {
	interface Window {
		/** Set only if analytics is configured and the visitor does not object. */
		gtag?: (...command: unknown[]) => void;
		dataLayer?: unknown[];
	}
}

/** Tracks an event. Does nothing without a measurement id. */
export function track(name: EventName, label?: string): void {
	if (typeof window === 'undefined') return;
	window.gtag?.('event', name, {
		event_category: EVENTS[name],
		...(label !== undefined && { event_label: label }),
	});
}
