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

test('of the drawings of a figure the narrowest is shown, whose words are read on a phone', async () => {
	const drawing = (name: string, width: number) =>
		`<svg viewBox="0 0 ${width} 300" width="${width}" height="300" class="drawn-${name}" role="img" aria-label="Plot" data-picture="/media/figure-${name}.png"></svg>`;
	const html = await emailHtml(
		`<figure class="drawn">${drawing('wide', 704)}${drawing('narrow', 330)}${drawing('full', 912)}</figure>`,
	);
	expect(html.match(/src="[^"]*"/g)).toEqual(['src="/media/figure-narrow.png"']);
	expect(html).toContain('width="330"');
});
