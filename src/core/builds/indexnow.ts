/** How many addresses IndexNow takes at once. */
const MAX_URLS = 10_000;

/** Path of the file that proves to search engines whose key it is: it holds the key and nothing else. */
export function keyPath(key: string): string {
	return `/${key}.txt`;
}

/** Returns the request bodies that notify IndexNow of changed paths of a site. */
export function submissions(siteUrl: string, key: string, paths: string[]) {
	const urls = [...new Set(paths)].map((path) => siteUrl + encodeURI(path));
	return Array.from({ length: Math.ceil(urls.length / MAX_URLS) }, (_, index) => ({
		host: new URL(siteUrl).host,
		key,
		keyLocation: siteUrl + keyPath(key),
		urlList: urls.slice(index * MAX_URLS, (index + 1) * MAX_URLS),
	}));
}
