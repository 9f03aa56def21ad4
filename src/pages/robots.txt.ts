import type { APIRoute } from 'astro';
import { getEnv } from '#src/lib/env.ts';

/**
 * Pages that must not be indexed say so themselves and must be crawlable for that. Programs may read what the
 * API publishes.
 */
export const GET: APIRoute = () =>
	new Response(`User-agent: *
Disallow: /api/
Allow: /api/openapi.json
Allow: /api/posts
Allow: /api/search
Allow: /api/categories
Allow: /api/states
Allow: /api/media/
Sitemap: ${new URL('/sitemap-index.xml', getEnv().SITE_URL).href}
`);
