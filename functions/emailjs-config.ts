import type { Config } from '@netlify/functions';
import * as api from '#src/features/newsletter/newsletter.api.ts';
import { getEnv } from '#src/lib/env.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.getEmailjsConfig,
		async () => {
			const env = getEnv();
			return {
				publicKey: env.EMAILJS_PUBLIC_KEY ?? '',
				serviceId: env.EMAILJS_SERVICE_ID ?? '',
				templateId: env.EMAILJS_TEMPLATE_ID ?? '',
			};
		},
		{ cache: ['configuration'] },
	),
);

export const config: Config = { path: '/api/emailjs-config' };
