import { expect, test } from 'vitest';
import { emailHtml } from './email-html.server.ts';

test('tables move sideways on a phone, and code is indented by two spaces', async () => {
	const html = await emailHtml(
		'<table><tbody><tr><th>Steps</th></tr><tr><td>0.00000617</td></tr></tbody></table><pre><code>if x:\n\ty</code></pre>',
	);
	expect(html).toMatch(
		/^<div style="overflow-x:auto[^"]*"><table [^>]*>.*<td style="[^"]*word-break:normal[^"]*">0\.00000617<.*<\/table><\/div><pre/,
	);
	expect(html).toContain('if x:\n  y');
});
