import { purgeCache } from '@netlify/functions';

/** Purges cached responses with these tags from the CDN. Only Netlify has a CDN in front of us. */
export async function purge(...tags: string[]): Promise<void> {
	if (tags.length > 0 && process.env['NETLIFY_PURGE_API_TOKEN']) await purgeCache({ tags });
}
