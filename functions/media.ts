import type { Config } from '@netlify/functions';
import { getDb, getReadDb } from '#db/client.ts';
import * as api from '#src/features/media/media.api.ts';
import { readMedia } from '#src/features/media/media.server.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.getMedia,
		async ({ id }, request) => {
			// A replica may not know yet about an image that was uploaded a moment ago.
			const image = (await readMedia(getReadDb(), id)) ?? (await readMedia(getDb(), id));
			if (!image) return null;
			const ETag = `"${image.digest}"`;
			const isKnown = request.headers.get('If-None-Match') === ETag;
			const body = isKnown || request.method === 'HEAD' ? null : new Uint8Array(image.bytes);
			return new Response(body, {
				status: isKnown ? 304 : 200,
				headers: {
					ETag,
					'Content-Type': image.type,
					'Content-Disposition': `inline; filename*=UTF-8''${encodeURIComponent(image.name)}`,
					// An address always has the same bytes.
					'Cache-Control': 'public, max-age=31536000, immutable',
					'Netlify-CDN-Cache-Control': 'public, durable, s-maxage=31536000',
					'Netlify-Cache-Tag': `media-${id}`,
					'Netlify-Vary': 'query',
					'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
				},
			});
		},
		// Feed readers and emails embed the articles' images, too.
		{ open: true },
	),
);

export const config: Config = { path: '/api/media/:id' };
