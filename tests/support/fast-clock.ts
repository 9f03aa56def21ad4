/** Returns the time of a clock that has run `speed` times as fast since a moment. */
export const fastClock = (since: number, speed: number) =>
	new Date(since + (Date.now() - since) * speed);
