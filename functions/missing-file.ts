import type { Config } from '@netlify/functions';
import { serve } from './lib/http.ts';

/**
 * Answers for files named by their content that are gone. Netlify puts netlify.toml's headers on a 404 of its own as well,
 * and these would let it be kept for a year; they do not reach a function.
 */
export default serve();

export const config: Config = { path: ['/_astro/*', '/media/*'], preferStatic: true };
