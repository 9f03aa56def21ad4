/** The page that stands in the place of all others until the first build of a site is there. */
import { hash } from 'node:crypto';
import { SECURITY_HEADERS } from '#functions/lib/headers.ts';
import type { Progress } from '#src/build/builds.ts';
import { escapeHtml, formatCount } from '#src/lib/text.ts';

const STYLE = `:root{color-scheme:light dark;font:1.05rem/1.5 system-ui,sans-serif}
body{background:light-dark(#fafaf7,#0b1015);color:light-dark(#10161d,#e8edf2);margin:0}
main{max-width:34rem;margin:15vh auto;padding:0 1.25rem}
h1{line-height:1.15}
progress{width:100%;height:.75rem;accent-color:light-dark(#0e7490,#67e8f9)}
small{font-size:.9rem;color:light-dark(#4c5761,#a3b0bc)}`;

/** Takes what has changed from the page as it is now, so that a screen reader hears of each step once, and goes to the site when it is there. */
const SCRIPT = `const ask = async () => {
	try {
		const answer = await fetch(location.href, { cache: 'no-store' });
		if (answer.status < 500) return location.reload();
		const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
		for (const part of page.querySelectorAll('[id]')) {
			const shown = document.getElementById(part.id);
			if (shown && shown.outerHTML !== part.outerHTML)
				if (part.id === 'step') shown.textContent = part.textContent;
				else shown.replaceWith(part);
		}
	} catch {}
	setTimeout(ask, 2000);
};
setTimeout(ask, 2000);`;

const digestOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;
const HEADERS = {
	...SECURITY_HEADERS,
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': `default-src 'none'; style-src ${digestOf(STYLE)}; script-src ${digestOf(SCRIPT)}; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
	'Cache-Control': 'no-store',
};

/** Returns the page, which says how far the build is and makes way for the site by itself. */
export function preparingResponse(
	{ doing, done, total }: Progress,
	retryAfterS: number,
	isHead: boolean,
): Response {
	const [count, bar] = total
		? [`${formatCount(done ?? 0)} of ${formatCount(total)}`, ` value="${done ?? 0}" max="${total}"`]
		: ['', ''];
	const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<noscript><meta http-equiv="refresh" content="${retryAfterS}"></noscript>
<title>The site is being prepared</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>The site is being prepared</h1>
<p>It opens here by itself as soon as it is ready.</p>
<p role="status" id="step">${escapeHtml(doing || 'Starting')}…</p>
<progress id="bar" aria-label="This step"${bar}></progress>
<p><small id="count">${count}</small></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
	return new Response(isHead ? null : page, {
		status: 503,
		headers: { ...HEADERS, 'Retry-After': String(retryAfterS) },
	});
}
