import type { Config, Context } from '@netlify/functions';
import { Readable } from 'node:stream';
import {
	downloadsFolder,
	openDownload,
	readDownloadToken,
} from '#src/features/downloads/downloads.server.ts';
import {
	DOWNLOADS,
	LINK_DAYS,
	upgradeForm,
	type Upgrade,
} from '#src/features/downloads/download.ts';
import * as api from '#src/features/downloads/downloads.api.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { parseRange } from '#src/lib/range.ts';
import { asciiSlug } from '#src/lib/slug.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { site } from '#src/site.ts';
import { htmlPage } from './lib/form-page.ts';
import { SECURITY_HEADERS } from './lib/headers.ts';
import { errorResponse, notAllowed } from './lib/failure.ts';
import { countRequest } from './lib/visitor.ts';

/**
 * Sends the file behind a link in an email. The response is bytes or a page, never JSON, so this is not an
 * endpoint.
 */
export default async function sendDownload(request: Request, context: Context): Promise<Response> {
	try {
		if (request.method !== 'GET' && request.method !== 'HEAD') {
			return notAllowed(request, 'GET, HEAD');
		}
		const found = readDownloadToken(getSecret(), context.params['token'] ?? '', new Date());
		if (!found)
			return page(
				'This link does not work',
				'Please open it from the email again, or copy all of it.',
				404,
			);
		if (found.isExpired) return expiredPage(found.upgrade);
		const response = await sendFile(request, found.upgrade);
		if (response.ok && request.method === 'GET')
			context.waitUntil(countRequest(request, context, 'fetched', found.upgrade));
		return response;
	} catch (error) {
		return errorResponse(error, request);
	}
}

function page(title: string, text: string, status: number, more = ''): Response {
	return htmlPage(title, `<p>${escapeHtml(text)}</p>${more}`, status);
}

/** Says that the link has expired and offers a new one. */
function expiredPage(upgrade: Upgrade): Response {
	const { title } = DOWNLOADS[upgrade];
	return page(
		'This link has expired',
		`Links to downloads work for ${LINK_DAYS} days. Say where to send a new one for “${title}”.`,
		410,
		`<form method="post" action="${api.requestUpgrade.path}">
<input type="hidden" name="upgradeType" value="${upgrade}">
<label>Email address <input type="email" name="email" required autocomplete="email"></label>
<button>${escapeHtml(upgradeForm.submit)}</button>
</form>`,
	);
}

async function sendFile(request: Request, upgrade: Upgrade): Promise<Response> {
	const opened = await openDownload(downloadsFolder(getEnv().DATABASE_URL), upgrade);
	if (!opened) {
		return page(
			'Not ready yet',
			'This download is being made. Please try again in a few minutes.',
			503,
		);
	}
	const { file: handle, size, digest } = opened;
	const { type, fileName } = DOWNLOADS[upgrade];
	const etag = `"${digest}"`;
	const headers = new Headers({
		...SECURITY_HEADERS,
		'Content-Type': type,
		'Content-Disposition': `attachment; filename="${asciiSlug(site.name) || 'site'}-${fileName}"`,
		'Cache-Control': 'private, no-cache',
		'Accept-Ranges': 'bytes',
		ETag: etag,
	});
	const condition = request.headers.get('If-Range');
	const wanted = condition === null || condition === etag ? request.headers.get('Range') : null;
	const range = request.method === 'GET' ? parseRange(wanted, size) : undefined;
	if (range === 'unsatisfiable' || request.method === 'HEAD') await handle.close();
	if (range === 'unsatisfiable') {
		headers.set('Content-Range', `bytes */${size}`);
		return new Response(null, { status: 416, headers });
	}
	const { start, end } = range ?? { start: 0, end: size - 1 };
	headers.set('Content-Length', String(end - start + 1));
	if (range) headers.set('Content-Range', `bytes ${start}-${end}/${size}`);
	if (request.method === 'HEAD') return new Response(null, { headers });
	const stream = handle.createReadStream({ start, end });
	return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
		status: range ? 206 : 200,
		headers,
	});
}

export const config: Config = { path: '/api/downloads/:token' };
