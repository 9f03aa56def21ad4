/** Repeated here, because the headers of netlify.toml do not apply to functions. */
export const SECURITY_HEADERS = {
	'X-Content-Type-Options': 'nosniff',
	'Referrer-Policy': 'strict-origin-when-cross-origin',
	'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Headers of responses that programs on any site may read. */
export const CORS_HEADERS = {
	'Access-Control-Allow-Origin': '*',
	'Access-Control-Expose-Headers': 'ETag, Retry-After',
	'Cross-Origin-Resource-Policy': 'cross-origin',
};
