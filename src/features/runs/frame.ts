import { DAY, SECOND } from '#src/lib/dates.ts';

/** The document of the frame in which programs run. */
export const FRAME_PATH = '/run-frame';

/**
 * The frame's only script: makes a worker of the code that the page sends, and hands it the page's port. A message without
 * code asks whether the frame's process is still there.
 */
export const FRAME_SCRIPT = `addEventListener('message', ({ origin, data, ports }) => {
	if (origin !== location.origin) return;
	if (!data.code) return ports[0].postMessage(null);
	const address = URL.createObjectURL(new Blob([data.code], { type: 'text/javascript' }));
	new Worker(address).postMessage(data.files, [ports[0], ...Object.values(data.files)]);
});`;
/** Its digest, for the policy. A test compares. */
const SCRIPT_HASH = 'sha256-2++AzQx5VDFs5hUYSF7mi4ipe52CkgqGklr4TDKTaPs=';

export const FRAME_HTML = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Program</title></head>
<body><script>${FRAME_SCRIPT}</script></body>
</html>`;

/** An origin of its own, scripts that the page hands in and nothing else: no network, no storage, no page. */
export const FRAME_HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': [
		"default-src 'none'",
		`script-src '${SCRIPT_HASH}' blob: 'wasm-unsafe-eval'`,
		'worker-src blob:',
		"connect-src 'none'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'self'",
		'sandbox allow-scripts',
	].join('; '),
	// It says nothing that changes, and a saved article opens it without a connection.
	'Cache-Control': `public, max-age=${(30 * DAY) / SECOND}`,
};

/** The first message to the frame: the code of the worker, and files that are handed to it. */
export type FrameOrder = { code: string; files: Record<string, ArrayBuffer> };
