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
			const known =
				/^(?:W\/)?"(\w+)"$/.exec(request.headers.get('If-None-Match') ?? '')?.[1] ?? null;
			const image =
				(await readMedia(getReadDb(), id, known)) ?? (await readMedia(getDb(), id, known));
			if (!image) return null;
			const { bytes } = image;
			return new Response(bytes && request.method !== 'HEAD' ? new Uint8Array(bytes) : null, {
				status: bytes ? 200 : 304,
				headers: {
					ETag: `"${image.digest}"`,
					'Content-Type': image.type,
					'Content-Disposition': `inline; filename*=UTF-8''${encodeURIComponent(image.name)}`,
					// Another picture may stand at the address tomorrow: browsers ask whether it does, and the CDN is told.
					'Cache-Control': 'public, no-cache',
					'Netlify-CDN-Cache-Control': 'public, durable, s-maxage=31536000',
					'Netlify-Cache-Tag': `media,media-${id}`,
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
