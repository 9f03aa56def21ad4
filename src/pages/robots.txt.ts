import type { APIRoute } from 'astro';

/** Pages that are not to be found say so themselves, and must be read for it. Programs may read what the API publishes. */
export const GET: APIRoute = ({ site }) =>
	new Response(`User-agent: *
Disallow: /api/
Allow: /api/openapi.json
Allow: /api/posts
Allow: /api/categories
Allow: /api/states
Allow: /api/media/
Sitemap: ${new URL('/sitemap-index.xml', site).href}
`);
