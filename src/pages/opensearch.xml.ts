import type { APIRoute } from 'astro';
import { getEnv } from '#src/lib/env.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { site } from '#src/site.ts';

/** Lets browsers search this site from the address bar. */
export const GET: APIRoute = () => {
	const search = new URL('/search?q=', getEnv().SITE_URL).href;
	return new Response(
		`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
	<ShortName>${escapeHtml(site.name)}</ShortName>
	<Description>${escapeHtml(site.tagline)}</Description>
	<InputEncoding>UTF-8</InputEncoding>
	<Url type="text/html" template="${escapeHtml(search)}{searchTerms}"/>
</OpenSearchDescription>
`,
	);
};
