/** Returns the web addresses that an article links to, without their fragments. */
export function webLinks(html: string): Set<string> {
	const found = new Set<string>();
	for (const [, written = ''] of html.matchAll(/<a\s[^>]*?href="(https?:\/\/[^"]+)"/gi)) {
		const url = URL.parse(written.replace(/&(?:amp|#38|#x26);/gi, '&'));
		if (!url) continue;
		url.hash = '';
		found.add(url.href);
	}
	return found;
}
