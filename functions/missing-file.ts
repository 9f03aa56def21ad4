import type { Config } from '@netlify/functions';
import { serve } from './lib/http.ts';

/**
 * Responds for content-named files that are gone. Netlify would apply the year-long caching headers of
 * netlify.toml to its own 404; they do not apply to a function.
 */
export default serve();

export const config: Config = { path: ['/_astro/*', '/media/*'], preferStatic: true };
