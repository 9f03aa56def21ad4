// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { objects } from '#src/lib/objects.ts';
import { analyticsSources, milestonesReached, startAnalytics } from './analytics.ts';
import { EVENTS, track, type EventName } from './track.ts';

afterEach(() => {
	delete window.gtag;
	delete window.dataLayer;
	document.head.replaceChildren();
});

/** product.md section 7: each event, its label and its category. */
const table: [EventName, string | undefined, string][] = [
	['newsletter_signup', 'Newsletter Button', 'engagement'],
	['blog_post_view', 'a-post', 'content'],
	['category_view', 'ai-ethics', 'content'],
	['exit_intent_shown', undefined, 'engagement'],
	['scroll_depth', '75', 'engagement'],
	['like', 'a-post', 'engagement'],
	['unlike', 'a-post', 'engagement'],
	['save', 'a-post', 'engagement'],
	['unsave', 'a-post', 'engagement'],
	['content_upgrade_download', 'guide', 'engagement'],
];

test('there are ten events', () => {
	expect(table.map(([name]) => name)).toEqual(Object.keys(EVENTS));
	expect(table).toHaveLength(10);
});

test.each(table)('%s is counted with its label %s under %s', (name, label, category) => {
	window.gtag = vi.fn();
	track(name, label);
	expect(window.gtag).toHaveBeenCalledExactlyOnceWith('event', name, {
		event_category: category,
		...(label && { event_label: label }),
	});
});

test('where the tag service is not loaded nothing is counted, and nothing is loaded', () => {
	track('like', 'a-post');
	expect(window.dataLayer).toBeUndefined();
	expect(document.querySelector('script')).toBeNull();
});

test('the start tells the page and loads the script of the configured id, without what follows the path', () => {
	const here = new URL('https://groundtruth.test/blog/a-post?q=words#part');
	const before = 'https://groundtruth.test/preferences?token=somebodys-key';
	startAnalytics('G-TEST1', here, before);
	expect(document.querySelector('script')?.src).toBe(
		'https://www.googletagmanager.com/gtag/js?id=G-TEST1',
	);
	const commands = window.dataLayer!.map((one) => [...(one as IArguments)]);
	expect(commands).toEqual([
		['js', expect.any(Date)],
		[
			'config',
			'G-TEST1',
			{
				page_path: '/blog/a-post',
				page_location: 'https://groundtruth.test/blog/a-post',
				page_referrer: 'https://groundtruth.test/preferences',
			},
		],
	]);
	// A list is no command to the service.
	expect(window.dataLayer!.some(Array.isArray)).toBe(false);
	track('save', 'a-post');
	expect(window.dataLayer).toHaveLength(3);
});

test.each([
	[{ doNotTrack: '1' }, true],
	[{ globalPrivacyControl: true }, true],
	[{ doNotTrack: '0', globalPrivacyControl: false }, false],
	[{ doNotTrack: null }, false],
	[{}, false],
])('a browser that says %o objects: %s', (navigator, does) => {
	expect(objects(navigator)).toBe(does);
});

test.each([
	[24.9, 0, []],
	[25, 0, [25]],
	[49.9, 25, []],
	[50, 25, [50]],
	[74.9, 50, []],
	[75, 50, [75]],
	[89.9, 75, []],
	[90, 75, [90]],
	[99.9, 90, []],
	[100, 90, [100]],
	[100, 0, [25, 50, 75, 90, 100]],
	[10, 100, []],
])('at %s percent, told up to %s, the milestones are %o', (depth, last, milestones) => {
	expect(milestonesReached(depth, last)).toEqual(milestones);
});

test('the policy is as it was without a measurement id, and names the service with one', () => {
	expect(analyticsSources(undefined)).toEqual({ scripts: [], images: '', connections: [] });
	const { scripts, connections } = analyticsSources('G-TEST1');
	expect(scripts).toEqual(['https://*.googletagmanager.com']);
	expect(connections[0]).toContain("connect-src 'self' https://*.google-analytics.com");
});
