/** For how many days what is about people is kept at most. The privacy page says these numbers, and a test compares them. */
export const RETENTION_DAYS = {
	/** Keyed hashes of who sent how many forms. */
	attempts: 1,
	/** Keyed hashes of who was counted. */
	visits: 2,
	/** Names and source of a subscriber who left; the address stays, so that nothing is sent to it again. */
	leaversNames: 30,
	/** Closed deliveries: emails as they were sent, requests for downloads. */
	emails: 90,
	contactMessages: 365,
	/** Email addresses of comments. */
	commentAddresses: 365,
	/** Courses that are over, stopped or paused. */
	courses: 365,
} as const;
