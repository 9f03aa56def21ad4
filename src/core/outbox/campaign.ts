const LETTERS = { source: 'newsletter', medium: 'email' };

/** The site that paths lead to, and the name by which readers who come from a letter are counted. */
export type Sender = {
	siteUrl: string;
	campaign: string;
	/** Path of the page to which links within the text lead. */
	page?: string;
};

/** Beginning of the name of a letter's campaign, as visits are counted. */
export const LETTER_CAMPAIGN = `${LETTERS.source} / ${LETTERS.medium} / `;

/** Returns a link to this site that says from which letter a reader comes, so that readings are counted without a redirect. */
export function campaignLink(href: string, campaign: string): string {
	// Mail programs differ in what they take for the end of an address.
	const [address, anchor] = href.replace(/\P{ASCII}+/gu, encodeURI).split('#');
	const tags = new URLSearchParams({
		utm_source: LETTERS.source,
		utm_medium: LETTERS.medium,
		utm_campaign: campaign,
	});
	const joint = address!.includes('?') ? '&' : '?';
	return `${address}${joint}${tags}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Returns the letter whose link led to an address, by its query. */
export function letterBehind(query: string): string | undefined {
	const tags = new URLSearchParams(query);
	const isOurs =
		tags.get('utm_source') === LETTERS.source && tags.get('utm_medium') === LETTERS.medium;
	return (isOurs && tags.get('utm_campaign')?.slice(0, 64)) || undefined;
}
