/** Maximum retention of personal data in days. The privacy page states these numbers, and a test compares them. */
export const RETENTION_DAYS = {
	/** Keyed hashes for counting form submissions. */
	attempts: 1,
	/** Keyed hashes for counting visits. */
	visits: 2,
	/** Requests that nobody confirmed, after the last email that asked. */
	unconfirmed: 7,
	/** Names and source of former subscribers. The address stays, so that nothing is sent to it again. */
	leaversNames: 30,
	/** Closed deliveries: sent emails, requests for downloads. */
	emails: 90,
	contactMessages: 365,
	/** Words of readers about what an article misses. */
	feedback: 365,
	/** Email addresses of comments. */
	commentAddresses: 365,
	/** Errors of pages that have not happened again, which name nobody. */
	pageErrors: 90,
	/** Courses that ended, were stopped or paused. */
	courses: 365,
} as const;

/** Days during which an action can be undone. */
export const UNDO_DAYS = 30;
