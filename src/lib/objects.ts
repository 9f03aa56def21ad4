/** Returns whether the visitor opted out of tracking: Do Not Track, or Global Privacy Control. */
export function objects(navigator: {
	doNotTrack?: string | null;
	globalPrivacyControl?: boolean;
}): boolean {
	return navigator.doNotTrack === '1' || navigator.globalPrivacyControl === true;
}
