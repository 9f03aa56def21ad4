/** netlify.toml's headers do not reach functions. */
export const SECURITY_HEADERS = {
	'X-Content-Type-Options': 'nosniff',
	'Referrer-Policy': 'strict-origin-when-cross-origin',
	'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Of what programs of any site may read. */
export const CORS_HEADERS = {
	'Access-Control-Allow-Origin': '*',
	'Access-Control-Expose-Headers': 'ETag, Retry-After',
	'Cross-Origin-Resource-Policy': 'cross-origin',
};
